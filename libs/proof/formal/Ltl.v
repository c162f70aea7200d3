(* Formulas of linear temporal logic over infinite words in which exactly one event happens at each moment, and
   the form without negations that the table of docs/proofs.md speaks of. *)

Require Import Arith Lia Classical.

(* ------------------------------------------------------------------ the operators, of properties of moments *)

Definition always (P : nat -> Prop) t := forall k, t <= k -> P k.
Definition eventually (P : nat -> Prop) t := exists k, t <= k /\ P k.

(* Q is the case at some moment, and P at each moment before it. *)
Definition until (P Q : nat -> Prop) t := exists k, t <= k /\ Q k /\ forall j, t <= j < k -> P j.

(* P is the case at some moment, and Q at each moment up to it, and at it. *)
Definition up_to (P Q : nat -> Prop) t := exists k, t <= k /\ P k /\ forall j, t <= j <= k -> Q j.

Definition weak_until P Q t := until P Q t \/ always P t.
Definition weak_up_to P Q t := up_to P Q t \/ always Q t.

Definition opposite (P : nat -> Prop) t := ~ P t.

(* What is the case at some moment is so at a first one. *)
Lemma first_moment (P : nat -> Prop) t :
  eventually P t -> exists k, t <= k /\ P k /\ forall j, t <= j < k -> ~ P j.
Proof.
  intros [k [late now]]. revert late now. pattern k. apply lt_wf_ind. clear k. intros k before late now.
  destruct (classic (exists j, t <= j < k /\ P j)) as [[j [between holds]] | none].
  - apply (before j); tauto.
  - exists k. repeat split; trivial. intros j between holds. apply none. exists j. tauto.
Qed.

Lemma not_always P t : ~ always P t <-> eventually (opposite P) t.
Proof.
  split.
  - intros some. apply NNPP. intros none. apply some. intros k late. apply NNPP. intros no.
    apply none. exists k. split; trivial.
  - intros [k [late no]] all. exact (no (all k late)).
Qed.

Lemma not_eventually P t : ~ eventually P t <-> always (opposite P) t.
Proof.
  split.
  - intros none k late holds. apply none. exists k. tauto.
  - intros all [k [late holds]]. exact (all k late holds).
Qed.

Lemma not_until P Q t : ~ until P Q t <-> weak_up_to (opposite P) (opposite Q) t.
Proof.
  split.
  - intros none. destruct (classic (eventually Q t)) as [some | never].
    + left. destruct (first_moment Q t some) as [k [late [now before]]].
      destruct (classic (forall j, t <= j < k -> P j)) as [all | gap].
      * exfalso. apply none. exists k. tauto.
      * apply not_all_ex_not in gap. destruct gap as [j gap]. exists j.
        assert (t <= j < k) by (apply NNPP; tauto). repeat split; [lia | tauto |].
        intros i between. apply before. lia.
    + right. apply not_eventually, never.
  - intros [[k [late [no up]]] | never] [j [later [now before]]].
    + destruct (le_lt_dec j k) as [soon | after].
      * exact (up j (conj later soon) now).
      * exact (no (before k (conj late after))).
    + exact (never j later now).
Qed.

Lemma not_up_to P Q t : ~ up_to P Q t <-> weak_until (opposite P) (opposite Q) t.
Proof.
  split.
  - intros none. destruct (classic (eventually (opposite Q) t)) as [some | never].
    + left. destruct (first_moment _ t some) as [k [late [no before]]].
      exists k. repeat split; trivial. intros j between holds. apply none. exists j.
      repeat split; trivial; [lia |]. intros i earlier. apply NNPP. apply before. lia.
    + right. intros k late holds. apply none. exists k. repeat split; trivial.
      intros j between. apply NNPP. intros no. apply never. exists j. split; [lia | exact no].
  - intros [[k [late [no before]]] | never] [j [later [now up]]].
    + destruct (le_lt_dec k j) as [soon | after].
      * exact (no (up k (conj late soon))).
      * exact (before j (conj later after) now).
    + exact (never j later now).
Qed.

Lemma not_weak_until P Q t : ~ weak_until P Q t <-> up_to (opposite P) (opposite Q) t.
Proof.
  unfold weak_until. split.
  - intros neither. apply not_or_and in neither. destruct neither as [no_until not_all].
    apply not_until in no_until. destruct no_until as [done | never]; trivial.
    apply not_always in not_all. destruct not_all as [k [late no]].
    exists k. repeat split; trivial. intros j [later _]. exact (never j later).
  - intros [k [late [no up]]] [some | all].
    + apply (not_until P Q t); trivial. left. exists k. tauto.
    + exact (no (all k late)).
Qed.

Lemma not_weak_up_to P Q t : ~ weak_up_to P Q t <-> until (opposite P) (opposite Q) t.
Proof.
  unfold weak_up_to. split.
  - intros neither. apply not_or_and in neither. destruct neither as [none not_all].
    apply not_up_to in none. destruct none as [done | never]; trivial.
    apply not_always in not_all. destruct not_all as [k [late no]].
    exists k. repeat split; trivial. intros j [later _]. exact (never j later).
  - intros [k [late [no before]]] [some | all].
    + apply (not_up_to P Q t); trivial. left. exists k. tauto.
    + exact (no (all k late)).
Qed.

(* ----------------------------------------------------------------------------------------------- formulas *)

Definition word := nat -> nat.

Inductive formula :=
| Atom (event : nat) | Not (a : formula) | And (a b : formula) | Or (a b : formula) | If (a b : formula)
| X (a : formula) | F (a : formula) | G (a : formula)
| U (a b : formula) | W (a b : formula) | M (a b : formula) | R (a b : formula).

Fixpoint holds (w : word) (f : formula) (t : nat) : Prop :=
  match f with
  | Atom event => w t = event
  | Not a => ~ holds w a t
  | And a b => holds w a t /\ holds w b t
  | Or a b => holds w a t \/ holds w b t
  | If a b => holds w a t -> holds w b t
  | X a => holds w a (S t)
  | F a => eventually (holds w a) t
  | G a => always (holds w a) t
  | U a b => until (holds w a) (holds w b) t
  | W a b => weak_until (holds w a) (holds w b) t
  | M a b => up_to (holds w a) (holds w b) t
  | R a b => weak_up_to (holds w a) (holds w b) t
  end.

(* The form in which only events are negated. *)
Inductive nnf :=
| Is (event : nat) | IsNot (event : nat) | Both (a b : nnf) | Either (a b : nnf)
| Next (a : nnf) | Eventually (a : nnf) | Always (a : nnf)
| Until (a b : nnf) | WeakUntil (a b : nnf) | UpTo (a b : nnf) | WeakUpTo (a b : nnf).

Fixpoint true_at (w : word) (f : nnf) (t : nat) : Prop :=
  match f with
  | Is event => w t = event
  | IsNot event => w t <> event
  | Both a b => true_at w a t /\ true_at w b t
  | Either a b => true_at w a t \/ true_at w b t
  | Next a => true_at w a (S t)
  | Eventually a => eventually (true_at w a) t
  | Always a => always (true_at w a) t
  | Until a b => until (true_at w a) (true_at w b) t
  | WeakUntil a b => weak_until (true_at w a) (true_at w b) t
  | UpTo a b => up_to (true_at w a) (true_at w b) t
  | WeakUpTo a b => weak_up_to (true_at w a) (true_at w b) t
  end.

(* A formula (sign true), or its negation (sign false), with negations moved inwards. *)
Fixpoint inwards (sign : bool) (f : formula) : nnf :=
  match f, sign with
  | Atom event, true => Is event
  | Atom event, false => IsNot event
  | Not a, _ => inwards (negb sign) a
  | And a b, true | Or a b, false => Both (inwards sign a) (inwards sign b)
  | Or a b, true | And a b, false => Either (inwards sign a) (inwards sign b)
  | If a b, true => Either (inwards false a) (inwards true b)
  | If a b, false => Both (inwards true a) (inwards false b)
  | X a, _ => Next (inwards sign a)
  | F a, true | G a, false => Eventually (inwards sign a)
  | G a, true | F a, false => Always (inwards sign a)
  | U a b, true => Until (inwards sign a) (inwards sign b)
  | U a b, false => WeakUpTo (inwards sign a) (inwards sign b)
  | W a b, true => WeakUntil (inwards sign a) (inwards sign b)
  | W a b, false => UpTo (inwards sign a) (inwards sign b)
  | M a b, true => UpTo (inwards sign a) (inwards sign b)
  | M a b, false => WeakUntil (inwards sign a) (inwards sign b)
  | R a b, true => WeakUpTo (inwards sign a) (inwards sign b)
  | R a b, false => Until (inwards sign a) (inwards sign b)
  end.

(* Operators of properties that are the case at the same moments are the case at the same moments. *)
Section Same.
  Variables P P' Q Q' : nat -> Prop.
  Hypothesis left : forall t, P t <-> P' t.
  Hypothesis right : forall t, Q t <-> Q' t.

  Ltac same := unfold weak_until, weak_up_to, until, up_to, eventually, always; firstorder.

  Lemma same_eventually t : eventually P t <-> eventually P' t. Proof. same. Qed.
  Lemma same_always t : always P t <-> always P' t. Proof. same. Qed.

  Lemma same_until t : until P Q t <-> until P' Q' t.
  Proof.
    split; intros [k [late [now before]]]; exists k; (split; [exact late | split; [apply right, now |]]);
      intros j between; apply left, before, between.
  Qed.

  Lemma same_up_to t : up_to P Q t <-> up_to P' Q' t.
  Proof.
    split; intros [k [late [now before]]]; exists k; (split; [exact late | split; [apply left, now |]]);
      intros j between; apply right, before, between.
  Qed.

  Lemma same_weak_until t : weak_until P Q t <-> weak_until P' Q' t.
  Proof. unfold weak_until. rewrite same_until, same_always. reflexivity. Qed.
End Same.

Lemma same_weak_up_to P P' Q Q' t :
  (forall t, P t <-> P' t) -> (forall t, Q t <-> Q' t) -> weak_up_to P Q t <-> weak_up_to P' Q' t.
Proof.
  intros left right. unfold weak_up_to. rewrite (same_up_to P P' Q Q'), (same_always Q Q'); trivial; reflexivity.
Qed.

(* Moving negations inwards changes no meaning. *)
Lemma inwards_right w f : forall sign t,
  true_at w (inwards sign f) t <-> (if sign then holds w f t else ~ holds w f t).
Proof.
  induction f as [event | a IHa | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa | a IHa | a IHa
                 | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb];
    intros [|] t; simpl.
  - tauto.
  - tauto.
  - apply IHa.
  - rewrite IHa. split; [tauto | apply NNPP].
  - rewrite IHa, IHb. tauto.
  - rewrite IHa, IHb. tauto.
  - rewrite IHa, IHb. tauto.
  - rewrite IHa, IHb. tauto.
  - rewrite IHa, IHb. tauto.
  - rewrite IHa, IHb. tauto.
  - apply IHa.
  - apply IHa.
  - apply same_eventually. intros k. apply (IHa true).
  - rewrite not_eventually. apply same_always. intros k. apply (IHa false).
  - apply same_always. intros k. apply (IHa true).
  - rewrite not_always. apply same_eventually. intros k. apply (IHa false).
  - apply same_until; intros k; [apply (IHa true) | apply (IHb true)].
  - rewrite not_until. apply same_weak_up_to; intros k; [apply (IHa false) | apply (IHb false)].
  - apply same_weak_until; intros k; [apply (IHa true) | apply (IHb true)].
  - rewrite not_weak_until. apply same_up_to; intros k; [apply (IHa false) | apply (IHb false)].
  - apply same_up_to; intros k; [apply (IHa true) | apply (IHb true)].
  - rewrite not_up_to. apply same_weak_until; intros k; [apply (IHa false) | apply (IHb false)].
  - apply same_weak_up_to; intros k; [apply (IHa true) | apply (IHb true)].
  - rewrite not_weak_up_to. apply same_until; intros k; [apply (IHa false) | apply (IHb false)].
Qed.

(* ------------------------------------------------------------------------------------------------- graphs *)

Require Import List.
Import ListNotations.

(* For each event those that may follow it. *)
Definition graph := list (nat * list nat).

(* An event that none may follow repeats forever. *)
Fixpoint followers (g : graph) (event : nat) : list nat :=
  match g with
  | [] => [event]
  | (e, after) :: rest =>
      if e =? event then match after with [] => [event] | _ => after end else followers rest event
  end.

Definition path_of (g : graph) (initial : nat) (w : word) :=
  w 0 = initial /\ forall t, In (w (S t)) (followers g (w t)).
