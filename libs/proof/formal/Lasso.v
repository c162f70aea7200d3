(* A path that violates the hypothesis: some events, then others that repeat forever. *)

Require Import Arith Lia Bool List Classical.
Require Import Ltl.
Import ListNotations.

(* Whether b is the case at a place or after fewer than `steps` steps from it, and a at each place before. *)
Fixpoint reaches (after : nat -> nat) (a b : nat -> bool) (steps place : nat) : bool :=
  match steps with
  | 0 => false
  | S fewer => b place || a place && reaches after a b fewer (after place)
  end.

Section Of_one_lasso.
  Variables prefix cycle : list nat.
  Let loop := length prefix.
  Let places := length prefix + length cycle.
  Hypothesis repeats : cycle <> [].

  Definition event_at (place : nat) : nat := nth place (prefix ++ cycle) 0.
  Definition after (place : nat) : nat := if S place =? places then loop else S place.

  (* The place at a moment, and the word that goes round. *)
  Definition place_at (t : nat) : nat := if t <? loop then t else loop + (t - loop) mod length cycle.
  Definition round : word := fun t => event_at (place_at t).

  Lemma some_repeat : 0 < length cycle.
  Proof. destruct cycle; [contradiction | simpl; lia]. Qed.

  Lemma place_small t : place_at t < places.
  Proof.
    unfold place_at, places, loop. pose proof some_repeat.
    destruct (Nat.ltb_spec t (length prefix)); [lia |].
    pose proof (Nat.mod_upper_bound (t - length prefix) (length cycle)). lia.
  Qed.

  Lemma place_next t : place_at (S t) = after (place_at t).
  Proof.
    pose proof some_repeat as many. unfold place_at, after, places, loop.
    destruct (Nat.ltb_spec t (length prefix)) as [early | late].
    - destruct (Nat.ltb_spec (S t) (length prefix)) as [next_early | next_late].
      + destruct (Nat.eqb_spec (S t) (length prefix + length cycle)); lia.
      + replace (S t - length prefix) with 0 by lia. rewrite Nat.mod_0_l by lia.
        destruct (Nat.eqb_spec (S t) (length prefix + length cycle)); lia.
    - destruct (Nat.ltb_spec (S t) (length prefix)) as [impossible | _]; [lia |].
      replace (S t - length prefix) with (S (t - length prefix)) by lia.
      set (gone := t - length prefix). pose proof (Nat.mod_upper_bound gone (length cycle)).
      pose proof (Nat.div_mod gone (length cycle)).
      destruct (Nat.eqb_spec (S (length prefix + gone mod length cycle)) (length prefix + length cycle)) as [end_ | inside].
      + replace (S gone) with ((S (gone / length cycle)) * length cycle) by nia.
        rewrite Nat.mod_mul by lia. lia.
      + replace (S gone) with (S (gone mod length cycle) + (gone / length cycle) * length cycle) by nia.
        rewrite Nat.mod_add by lia. rewrite Nat.mod_small by lia. lia.
  Qed.

  Lemma place_again t : places <= t -> exists s, s + length cycle = t /\ place_at s = place_at t.
  Proof.
    intros late. pose proof some_repeat. unfold places in late. exists (t - length cycle). split; [lia |].
    unfold place_at, loop. destruct (Nat.ltb_spec (t - length cycle) (length prefix)); [lia |].
    destruct (Nat.ltb_spec t (length prefix)); [lia |].
    replace (t - length prefix) with (t - length cycle - length prefix + 1 * length cycle) by lia.
    rewrite Nat.mod_add by lia. reflexivity.
  Qed.

  (* ------------------------------------------------------------------------------------------- until *)

  Lemma reaches_right a b steps : forall t,
    reaches after a b steps (place_at t) = true <->
    exists k, t <= k < t + steps /\ b (place_at k) = true /\ forall j, t <= j < k -> a (place_at j) = true.
  Proof.
    induction steps as [| steps IH]; intros t; simpl.
    - split; [discriminate |]. intros [k [between _]]. lia.
    - rewrite orb_true_iff, andb_true_iff, <- place_next, IH. split.
      + intros [now | [here [k [late [then_ before]]]]].
        * exists t. repeat split; [lia | lia | exact now |]. intros j between. lia.
        * exists k. repeat split; [lia | lia | exact then_ |]. intros j between.
          destruct (Nat.eq_dec j t) as [-> | other]; [exact here | apply before; lia].
      + intros [k [late [then_ before]]]. destruct (Nat.eq_dec k t) as [-> | other]; [left; exact then_ | right].
        split; [apply before; lia |]. exists k. repeat split; [lia | lia | exact then_ |].
        intros j between. apply before. lia.
  Qed.

  (* The first moment at which b is the case comes before each place has been passed. *)
  Lemma until_right (P Q : nat -> Prop) a b :
    (forall t, a (place_at t) = true <-> P t) -> (forall t, b (place_at t) = true <-> Q t) ->
    forall t, reaches after a b places (place_at t) = true <-> until P Q t.
  Proof.
    intros left right t. rewrite reaches_right. split.
    - intros [k [late [then_ before]]]. exists k. repeat split; [lia | apply right, then_ |].
      intros j between. apply left, before, between.
    - intros [k [late [now before]]].
      destruct (first_moment Q t) as [first [later [then_ none]]]; [exists k; tauto |].
      assert (soon : first <= k) by (destruct (le_lt_dec first k); trivial; exfalso; apply (none k); tauto).
      assert (first < t + places).
      { destruct (lt_dec first (t + places)) as [yes | no]; trivial. exfalso.
        destruct (place_again first) as [s [gap equal]]; [lia |].
        pose proof some_repeat. unfold places in no.
        apply (none s); [lia |]. apply right. rewrite equal. apply right, then_. }
      exists first. repeat split; trivial; [apply right, then_ |]. intros j between. apply left, before. lia.
  Qed.

  (* ---------------------------------------------------------------------------------------- formulas *)

  Definition row := list bool.
  Definition at_place (r : row) (place : nat) : bool := nth place r false.
  Definition each (value : nat -> bool) : row := map value (seq 0 places).

  Lemma each_right value t : at_place (each value) (place_at t) = value (place_at t).
  Proof.
    unfold at_place, each. pose proof (place_small t).
    rewrite nth_indep with (d' := value 0) by (rewrite map_length, seq_length; trivial).
    rewrite map_nth, seq_nth; trivial.
  Qed.

  Definition not_at (r : row) (place : nat) := negb (at_place r place).
  Definition until_row (a b : nat -> bool) : row := each (reaches after a b places).

  (* The truth of a formula at each place; all of the operators by until, and its opposite. *)
  Fixpoint truth (f : formula) : row :=
    match f with
    | Atom event => each (fun place => event_at place =? event)
    | Not a => let x := truth a in each (not_at x)
    | And a b => let x := truth a in let y := truth b in each (fun p => at_place x p && at_place y p)
    | Or a b => let x := truth a in let y := truth b in each (fun p => at_place x p || at_place y p)
    | If a b => let x := truth a in let y := truth b in each (fun p => not_at x p || at_place y p)
    | X a => let x := truth a in each (fun p => at_place x (after p))
    | F a => let x := truth a in until_row (fun _ => true) (at_place x)
    | G a => let x := truth a in let never := until_row (fun _ => true) (not_at x) in each (not_at never)
    | U a b => let x := truth a in let y := truth b in until_row (at_place x) (at_place y)
    | W a b => let x := truth a in let y := truth b in
        let fails := until_row (not_at y) (fun p => not_at x p && not_at y p) in each (not_at fails)
    | M a b => let x := truth a in let y := truth b in
        until_row (at_place y) (fun p => at_place x p && at_place y p)
    | R a b => let x := truth a in let y := truth b in
        let fails := until_row (not_at x) (not_at y) in each (not_at fails)
    end.

  Definition tells (r : row) (P : nat -> Prop) := forall t, at_place r (place_at t) = true <-> P t.

  Lemma each_tells value P : (forall t, value (place_at t) = true <-> P t) -> tells (each value) P.
  Proof. intros says t. rewrite each_right. apply says. Qed.

  Lemma not_tells r P : tells r P -> forall t, not_at r (place_at t) = true <-> ~ P t.
  Proof. intros says t. unfold not_at. rewrite negb_true_iff, <- not_true_iff_false, (says t). reflexivity. Qed.

  Lemma until_tells P Q a b :
    (forall t, a (place_at t) = true <-> P t) -> (forall t, b (place_at t) = true <-> Q t) ->
    tells (until_row a b) (until P Q).
  Proof. intros left right. apply each_tells. apply until_right; trivial. Qed.

  Lemma eventually_until P t : eventually P t <-> until (fun _ => True) P t.
  Proof. unfold eventually, until. firstorder. Qed.

  Lemma up_to_until P Q t : up_to P Q t <-> until Q (fun k => P k /\ Q k) t.
  Proof.
    split; intros [k [late [now before]]]; exists k.
    - repeat split; trivial; [apply before; lia |]. intros j between. apply before. lia.
    - repeat split; trivial; [apply now |]. intros j between.
      destruct (Nat.eq_dec j k) as [-> | other]; [apply now | apply before; lia].
  Qed.

  Lemma truth_right f : tells (truth f) (holds round f).
  Proof.
    induction f as [event | a IHa | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa | a IHa | a IHa
                   | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb]; simpl truth; cbv zeta.
    - apply each_tells. intros t. apply Nat.eqb_eq.
    - apply each_tells. apply not_tells, IHa.
    - apply each_tells. intros t. rewrite andb_true_iff, (IHa t), (IHb t). reflexivity.
    - apply each_tells. intros t. rewrite orb_true_iff, (IHa t), (IHb t). reflexivity.
    - apply each_tells. intros t. rewrite orb_true_iff, (not_tells _ _ IHa), (IHb t). simpl. tauto.
    - apply each_tells. intros t. rewrite <- place_next. apply IHa.
    - intros t. simpl. rewrite eventually_until. apply until_tells; trivial. intros. split; trivial.
    - apply each_tells. intros t. rewrite not_tells; [|apply until_tells; [|apply not_tells, IHa]].
      2: { intros k. split; intros _; [exact I | reflexivity]. }
      simpl. rewrite <- eventually_until, not_eventually. apply same_always.
      intros k. unfold opposite. split; [apply NNPP | tauto].
    - apply until_tells; trivial.
    - apply each_tells. intros t.
      rewrite not_tells; [|apply until_tells with (Q := fun k => ~ holds round a k /\ ~ holds round b k);
                           [apply not_tells, IHb |]].
      2: { intros k. rewrite andb_true_iff, (not_tells _ _ IHa), (not_tells _ _ IHb). reflexivity. }
      simpl. rewrite <- (up_to_until (opposite (holds round a)) (opposite (holds round b))), <- not_weak_until.
      split; [apply NNPP | tauto].
    - intros t. simpl. rewrite up_to_until. apply until_tells; trivial.
      intros k. rewrite andb_true_iff, (IHa k), (IHb k). reflexivity.
    - apply each_tells. intros t. rewrite not_tells; [|apply until_tells; apply not_tells; eassumption].
      simpl. rewrite <- (not_weak_up_to (holds round a) (holds round b)). split; [apply NNPP | tauto].
  Qed.

  (* --------------------------------------------------------------------------------------- the path *)

  Definition follows (g : graph) (place : nat) : bool :=
    existsb (fun event => event =? event_at (after place)) (followers g (event_at place)).

  Definition is_path (g : graph) (initial : nat) : bool :=
    (event_at 0 =? initial) && forallb (follows g) (seq 0 places).

  Lemma round_is_path g initial : is_path g initial = true -> path_of g initial round.
  Proof.
    unfold is_path. rewrite andb_true_iff, forallb_forall, Nat.eqb_eq. intros [first all].
    assert (start : place_at 0 = 0).
    { unfold place_at, loop. pose proof some_repeat.
      destruct (Nat.ltb_spec 0 (length prefix)); trivial. rewrite Nat.mod_0_l; lia. }
    split; [unfold round; rewrite start; exact first |]. intros t.
    specialize (all (place_at t)). rewrite in_seq in all. pose proof (place_small t).
    assert (ok : follows g (place_at t) = true) by (apply all; lia).
    apply existsb_exists in ok. destruct ok as [event [listed equal]].
    apply Nat.eqb_eq in equal. unfold round. rewrite place_next, <- equal. exact listed.
  Qed.
End Of_one_lasso.

Definition check_lasso (g : graph) (initial : nat) (hypothesis : formula) (prefix cycle : list nat) : bool :=
  match cycle with
  | [] => false
  | _ => is_path prefix cycle g initial && negb (at_place (truth prefix cycle hypothesis) 0)
  end.

Theorem check_lasso_sound g initial hypothesis prefix cycle :
  check_lasso g initial hypothesis prefix cycle = true ->
  exists w, path_of g initial w /\ ~ holds w hypothesis 0.
Proof.
  unfold check_lasso. destruct cycle as [| event rest] eqn:shape; [discriminate |]. rewrite <- shape.
  assert (repeats : cycle <> []) by (rewrite shape; discriminate).
  rewrite andb_true_iff, negb_true_iff. intros [path fails]. exists (round prefix cycle).
  split; [apply round_is_path; trivial |]. rewrite <- (truth_right prefix cycle repeats hypothesis 0).
  replace (place_at prefix cycle 0) with 0; [rewrite fails; discriminate |].
  unfold place_at. destruct (Nat.ltb_spec 0 (length prefix)); trivial.
  rewrite Nat.mod_0_l; [lia | rewrite shape; discriminate].
Qed.
