(* The table of obligations: if the checker accepts it, no path of the graph violates the hypothesis. *)

Require Import Arith Lia Bool List Classical.
Require Import Ltl.
Import ListNotations.

Lemma same_nnf (a b : nnf) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition within (f : nnf) (fs : list nnf) : bool := if in_dec same_nnf f fs then true else false.

Lemma within_right f fs : within f fs = true <-> In f fs.
Proof. unfold within. destruct (in_dec same_nnf f fs); split; intros; congruence || assumption. Qed.

(* Formulas as sets. *)
Definition part (fs gs : list nnf) : bool := forallb (fun f => within f gs) fs.
Definition same (fs gs : list nnf) : bool := part fs gs && part gs fs.

Lemma same_right fs gs : same fs gs = true -> forall f, In f fs <-> In f gs.
Proof.
  unfold same, part. rewrite andb_true_iff, !forallb_forall. intros [to back] f.
  split; intros i; apply within_right; auto.
Qed.

(* --------------------------------------------------------------------------------------------------- ways *)

(* What is left for the next moment, and what is put off. *)
Definition way := (list nnf * list nnf)%type.

Definition joined (a b : way) : way := (fst a ++ fst b, snd a ++ snd b).
Definition both (xs ys : list way) : list way := flat_map (fun x => map (joined x) ys) xs.

(* The ways in which a formula can hold at an event. *)
Fixpoint ways (event : nat) (f : nnf) : list way :=
  match f with
  | Is e => if event =? e then [([], [])] else []
  | IsNot e => if event =? e then [] else [([], [])]
  | Both a b => both (ways event a) (ways event b)
  | Either a b => ways event a ++ ways event b
  | Next a => [([a], [])]
  | Eventually a => ways event a ++ [([f], [f])]
  | Always a => map (joined ([f], [])) (ways event a)
  | Until a b => ways event b ++ map (joined ([f], [f])) (ways event a)
  | WeakUntil a b => ways event b ++ map (joined ([f], [])) (ways event a)
  | UpTo a b => both (ways event a) (ways event b) ++ map (joined ([f], [f])) (ways event b)
  | WeakUpTo a b => both (ways event a) (ways event b) ++ map (joined ([f], [])) (ways event b)
  end.

Definition ways_of_all (event : nat) (fs : list nnf) : list way :=
  fold_right (fun f => both (ways event f)) [([], [])] fs.

(* A promise (F, U, M) is kept at a moment if it needs nothing later. *)
Definition kept (w : word) (f : nnf) (t : nat) : Prop :=
  match f with
  | Eventually a => true_at w a t
  | Until _ b => true_at w b t
  | UpTo a b => true_at w a t /\ true_at w b t
  | _ => False
  end.

(* A way that is right: what is left holds from the next moment on; what is put off holds, and is not kept now.
   Only promises are put off. *)
Definition promise (f : nnf) : Prop :=
  match f with Eventually _ | Until _ _ | UpTo _ _ => True | _ => False end.

Definition right (w : word) (t : nat) (x : way) : Prop :=
  (forall f, In f (fst x) -> true_at w f (S t)) /\
  (forall f, In f (snd x) -> promise f /\ true_at w f t /\ ~ kept w f t).

Lemma nothing_is_right w t : right w t ([], []).
Proof. split; simpl; tauto. Qed.

Lemma joined_right w t x y : right w t x -> right w t y -> right w t (joined x y).
Proof.
  intros [a b] [c d]. split; simpl; intros f i; apply in_app_or in i; destruct i; auto.
Qed.

Lemma both_right w t xs ys :
  (exists x, In x xs /\ right w t x) -> (exists y, In y ys /\ right w t y) ->
  exists z, In z (both xs ys) /\ right w t z.
Proof.
  intros [x [inx rx]] [y [iny ry]]. exists (joined x y). split.
  - apply in_flat_map. exists x. split; trivial. apply in_map, iny.
  - apply joined_right; trivial.
Qed.

Lemma mapped_right w t x ys :
  right w t x -> (exists y, In y ys /\ right w t y) -> exists z, In z (map (joined x) ys) /\ right w t z.
Proof.
  intros rx [y [iny ry]]. exists (joined x y). split; [apply in_map, iny | apply joined_right; trivial].
Qed.

Lemma first_right w t xs ys :
  (exists x, In x xs /\ right w t x) -> exists z, In z (xs ++ ys) /\ right w t z.
Proof. intros [x [i r]]. exists x. split; trivial. apply in_or_app. tauto. Qed.

Lemma second_right w t xs ys :
  (exists y, In y ys /\ right w t y) -> exists z, In z (xs ++ ys) /\ right w t z.
Proof. intros [x [i r]]. exists x. split; trivial. apply in_or_app. tauto. Qed.

Lemma left_right w t f : true_at w f (S t) -> right w t ([f], []).
Proof. intros holds. split; simpl; intros g i; [destruct i as [<- | []]; trivial | tauto]. Qed.

Lemma put_off_right w t f :
  promise f -> true_at w f t -> ~ kept w f t -> true_at w f (S t) -> right w t ([f], [f]).
Proof. intros. split; simpl; intros g i; destruct i as [<- | []]; auto. Qed.

(* The equations of the operators. *)
Lemma eventually_next P t : eventually P t -> ~ P t -> eventually P (S t).
Proof.
  intros [k [late now]] no. exists k. split; trivial.
  destruct (Nat.eq_dec k t) as [-> | ?]; [contradiction | lia].
Qed.

Lemma always_next P t : always P t -> P t /\ always P (S t).
Proof. intros all. split; [apply all; lia |]. intros k late. apply all. lia. Qed.

Lemma until_next P Q t : until P Q t -> ~ Q t -> P t /\ until P Q (S t).
Proof.
  intros [k [late [now before]]] no. destruct (Nat.eq_dec k t) as [-> | other]; [contradiction |].
  split; [apply before; lia |]. exists k. repeat split; trivial; [lia |]. intros j between. apply before. lia.
Qed.

Lemma up_to_next P Q t : up_to P Q t -> Q t /\ (~ P t -> up_to P Q (S t)).
Proof.
  intros [k [late [now up]]]. split; [apply up; lia |]. intros no.
  destruct (Nat.eq_dec k t) as [-> | other]; [contradiction |].
  exists k. repeat split; trivial; [lia |]. intros j between. apply up. lia.
Qed.

(* Of the ways of a formula that holds one is right. *)
Lemma one_is_right w f : forall t, true_at w f t -> exists x, In x (ways (w t) f) /\ right w t x.
Proof.
  induction f as [e | e | a IHa b IHb | a IHa b IHb | a IHa | a IHa | a IHa
                 | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb];
    intros t now; simpl in now |- *.
  - rewrite now, Nat.eqb_refl. exists ([], []). split; [left; trivial | apply nothing_is_right].
  - apply Nat.eqb_neq in now. rewrite now. exists ([], []). split; [left; trivial | apply nothing_is_right].
  - apply both_right; [apply IHa | apply IHb]; tauto.
  - destruct now; [apply first_right, IHa | apply second_right, IHb]; trivial.
  - exists ([a], []). split; [left; trivial | apply left_right; trivial].
  - destruct (classic (true_at w a t)) as [yes | no]; [apply first_right, IHa, yes |].
    apply second_right. eexists. split; [left; reflexivity |].
    apply put_off_right; simpl; trivial. apply eventually_next; trivial.
  - apply always_next in now. destruct now as [here later].
    apply mapped_right; [apply left_right; exact later | apply IHa, here].
  - destruct (classic (true_at w b t)) as [yes | no]; [apply first_right, IHb, yes |].
    apply second_right. destruct (until_next _ _ _ now no) as [here later].
    apply mapped_right; [apply put_off_right; simpl; trivial | apply IHa, here].
  - destruct (classic (true_at w b t)) as [yes | no]; [apply first_right, IHb, yes |].
    apply second_right. apply mapped_right.
    + apply left_right. destruct now as [some | all]; [left; apply until_next | right; apply always_next]; trivial.
    + apply IHa. destruct now as [some | all]; [apply (until_next _ _ _ some no) | apply always_next, all].
  - destruct (up_to_next _ _ _ now) as [here later]. destruct (classic (true_at w a t)) as [yes | no].
    + apply first_right, both_right; [apply IHa, yes | apply IHb, here].
    + apply second_right, mapped_right; [apply put_off_right; simpl; tauto | apply IHb, here].
  - assert (here : true_at w b t)
      by (destruct now as [some | all]; [apply (up_to_next _ _ _ some) | apply always_next, all]).
    destruct (classic (true_at w a t)) as [yes | no].
    + apply first_right, both_right; [apply IHa, yes | apply IHb, here].
    + apply second_right, mapped_right; [apply left_right | apply IHb, here].
      destruct now as [some | all]; [left; apply (up_to_next _ _ _ some); trivial | right; apply always_next, all].
Qed.

Lemma one_of_all_is_right w t fs :
  (forall f, In f fs -> true_at w f t) -> exists x, In x (ways_of_all (w t) fs) /\ right w t x.
Proof.
  induction fs as [| f fs IH]; intros all.
  - exists ([], []). split; [left; trivial | apply nothing_is_right].
  - apply both_right; [apply one_is_right, all; left; trivial |]. apply IH. intros g i. apply all. right. exact i.
Qed.

(* A promise that holds is kept at some moment. *)
Lemma promises_are_kept w f t : promise f -> true_at w f t -> exists k, t <= k /\ kept w f k.
Proof.
  destruct f; simpl; try tauto; intros _ [k [late now]]; exists k; try tauto.
  destruct now as [now up]. repeat split; trivial. apply up. lia.
Qed.

(* ------------------------------------------------------------------------------------------------ the table *)

Definition entry := (nat * list nnf * nat)%type.
Definition certificate := (list entry * list (option nnf))%type.

Definition put_off (promises : list (option nnf)) (rank : nat) (x : way) : bool :=
  match nth rank promises None with Some f => within f (snd x) | None => false end.

(* An entry for what a way leaves at an event, with a lower rank, or with the same whose promise was put off. *)
Definition served (promises : list (option nnf)) (rank event : nat) (x : way) (e : entry) : bool :=
  match e with
  | (event', fs', rank') =>
      (event' =? event) && same (fst x) fs'
      && ((rank' <? rank) || ((rank' =? rank) && put_off promises rank x))
  end.

Definition check_entry (g : graph) (c : certificate) (e : entry) : bool :=
  match e with
  | (event, fs, rank) =>
      forallb (fun x => forallb (fun next => existsb (served (snd c) rank next x) (fst c)) (followers g event))
        (ways_of_all event fs)
  end.

Definition begins (initial : nat) (violated : nnf) (e : entry) : bool :=
  match e with (event, fs, _) => (event =? initial) && same [violated] fs end.

Definition check_table (g : graph) (initial : nat) (hypothesis : formula) (c : certificate) : bool :=
  existsb (begins initial (inwards false hypothesis)) (fst c) && forallb (check_entry g c) (fst c).

Section Sound.
  Variables (g : graph) (c : certificate) (initial : nat) (w : word).
  Hypothesis checked : forallb (check_entry g c) (fst c) = true.
  Hypothesis path : path_of g initial w.

  (* There is an entry of this rank for this moment, and all its formulas hold there. *)
  Definition at_rank (rank t : nat) : Prop :=
    exists fs, In (w t, fs, rank) (fst c) /\ forall f, In f fs -> true_at w f t.

  Lemma step rank t : at_rank rank t ->
    exists rank', at_rank rank' (S t) /\
      (rank' < rank \/ rank' = rank /\ exists f, nth rank (snd c) None = Some f /\
         promise f /\ true_at w f t /\ ~ kept w f t).
  Proof.
    intros [fs [stands hold]]. destruct (one_of_all_is_right w t fs hold) as [x [listed [left off]]].
    rewrite forallb_forall in checked. specialize (checked _ stands). simpl in checked.
    rewrite forallb_forall in checked. specialize (checked _ listed).
    rewrite forallb_forall in checked. specialize (checked _ (proj2 path t)).
    apply existsb_exists in checked. destruct checked as [[[event fs'] rank'] [there fits]].
    simpl in fits. rewrite !andb_true_iff, Nat.eqb_eq, orb_true_iff in fits.
    destruct fits as [[-> equal] lower]. exists rank'. split.
    - exists fs'. split; trivial. intros f i. apply left. apply (same_right _ _ equal). exact i.
    - destruct lower as [lower | lower]; [left; apply Nat.ltb_lt, lower | right].
      rewrite andb_true_iff, Nat.eqb_eq in lower. destruct lower as [-> off_now]. split; trivial.
      unfold put_off in off_now. destruct (nth rank (snd c) None) as [f |]; [| discriminate].
      exists f. split; trivial. apply off. apply within_right, off_now.
  Qed.

  (* No rank stands at any moment: it would fall, or stay for ever, and then its promise would never be kept. *)
  Lemma no_rank rank : forall t, ~ at_rank rank t.
  Proof.
    induction rank as [rank lower] using lt_wf_ind. intros t first.
    assert (stays : forall n, at_rank rank (t + n)).
    { induction n as [| n IH]; [rewrite Nat.add_0_r; trivial |]. rewrite Nat.add_succ_r.
      destruct (step _ _ IH) as [rank' [next [less | [-> _]]]]; trivial. exfalso. exact (lower _ less _ next). }
    assert (off : forall n, exists f, nth rank (snd c) None = Some f /\
              promise f /\ true_at w f (t + n) /\ ~ kept w f (t + n)).
    { intros n. destruct (step _ _ (stays n)) as [rank' [next [less | [_ off]]]]; trivial.
      exfalso. exact (lower _ less _ next). }
    destruct (off 0) as [f [named [promised [now _]]]]. rewrite Nat.add_0_r in now.
    destruct (promises_are_kept w f t promised now) as [k [late done]].
    destruct (off (k - t)) as [f' [named' [_ [_ never]]]]. rewrite named in named'. injection named' as <-.
    apply never. replace (t + (k - t)) with k by lia. exact done.
  Qed.
End Sound.

Theorem check_table_sound g initial hypothesis c :
  check_table g initial hypothesis c = true -> forall w, path_of g initial w -> holds w hypothesis 0.
Proof.
  unfold check_table. rewrite andb_true_iff, existsb_exists. intros [[[[event fs] rank] [there first]] checked] w path.
  simpl in first. rewrite andb_true_iff, Nat.eqb_eq in first. destruct first as [-> equal].
  apply NNPP. intros violated. apply (no_rank g c initial w checked path rank 0).
  exists fs. split; [rewrite (proj1 path); exact there |]. intros f i.
  apply (same_right _ _ equal) in i. destruct i as [<- | []]. apply (inwards_right w hypothesis false 0), violated.
Qed.
