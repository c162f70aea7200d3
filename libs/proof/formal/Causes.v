(* The table of tempobench: if it is accepted, every set of flips that breaks the effect contains a set of the first
   list; if these break the effect, none within another, they are exactly the minimal breaking sets. *)

Require Import Bool List.
Import ListNotations.

(* Values of the inputs at one step; of flips: which inputs are flipped. *)
Definition vector := list bool.

(* A set of flips: for each step from some step on to that of the effect, which inputs are flipped. *)
Definition flips := list vector.

Fixpoint flipped (values flip : vector) : vector :=
  match values, flip with a :: values', b :: flip' => xorb a b :: flipped values' flip' | _, _ => [] end.

Fixpoint part (a b : vector) : bool :=
  match a, b with x :: a', y :: b' => implb x y && part a' b' | [], [] => true | _, _ => false end.

Fixpoint within (a b : flips) : bool :=
  match a, b with x :: a', y :: b' => part x y && within a' b' | [], [] => true | _, _ => false end.

Lemma part_trans a : forall b c, part a b = true -> part b c = true -> part a c = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z c]; simpl; try discriminate; trivial.
  rewrite !andb_true_iff. intros [xy ab] [yz bc]. split; [destruct x, y, z; trivial | eapply IH; eassumption].
Qed.

Lemma within_trans a : forall b c, within a b = true -> within b c = true -> within a c = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z c]; simpl; try discriminate; trivial.
  rewrite !andb_true_iff. intros [xy ab] [yz bc]. split; [eapply part_trans | eapply IH]; eassumption.
Qed.

Lemma part_same a : forall b, part a b = true -> part b a = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try discriminate; trivial.
  rewrite !andb_true_iff. intros [xy ab] [yx ba]. f_equal; [destruct x, y; trivial; discriminate | apply IH; trivial].
Qed.

Lemma within_same a : forall b, within a b = true -> within b a = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try discriminate; trivial.
  rewrite !andb_true_iff. intros [xy ab] [yx ba]. f_equal; [apply part_same | apply IH]; trivial.
Qed.

Lemma part_itself a : part a a = true.
Proof. induction a as [| x a IH]; simpl; trivial. rewrite IH. destruct x; trivial. Qed.

(* All vectors of some length. *)
Fixpoint vectors (inputs : nat) : list vector :=
  match inputs with
  | 0 => [[]]
  | S fewer => flat_map (fun v => [true :: v; false :: v]) (vectors fewer)
  end.

Lemma vectors_all v : In v (vectors (length v)).
Proof.
  induction v as [| x v IH]; simpl; [tauto |]. apply in_flat_map. exists v. split; trivial. destruct x; simpl; tauto.
Qed.

Section Machine.
  Variable state : Type.
  Variable same_state : forall a b : state, {a = b} + {a <> b}.
  Variable inputs : nat.
  Variable next : state -> vector -> state.
  Variable output : state -> vector -> bool. (* the output that the effect is about *)
  Variable value : bool. (* its value in the effect *)

  (* Whether the output has the other value at the last step, if the inputs of a trace are flipped. *)
  Fixpoint breaks (q : state) (trace : list vector) (f : flips) : bool :=
    match trace, f with
    | [t], [x] => negb (Bool.eqb (output q (flipped t x)) value)
    | t :: trace', x :: f' => breaks (next q (flipped t x)) trace' f'
    | _, _ => false
    end.

  Definition row := list (state * list flips).

  Fixpoint sets_of (q : state) (r : row) : option (list flips) :=
    match r with
    | [] => None
    | (p, sets) :: rest => if same_state p q then Some sets else sets_of q rest
    end.

  Definition covered (sets : list flips) (f : flips) : bool := existsb (fun c => within c f) sets.

  Definition check_last (t : vector) (e : state * list flips) : bool :=
    forallb (fun x => implb (breaks (fst e) [t] [x]) (covered (snd e) [x])) (vectors inputs).

  Definition check_step (t : vector) (later : row) (e : state * list flips) : bool :=
    forallb (fun x => match sets_of (next (fst e) (flipped t x)) later with
                      | Some sets => forallb (fun l => covered (snd e) (x :: l)) sets
                      | None => false
                      end) (vectors inputs).

  Fixpoint check_rows (trace : list vector) (table : list row) : bool :=
    match trace, table with
    | [t], [r] => forallb (check_last t) r
    | t :: trace', r :: ((later :: _) as rest) => forallb (check_step t later) r && check_rows trace' rest
    | _, _ => false
    end.

  Definition shaped (f : flips) : Prop := forall x, In x f -> length x = inputs.

  Lemma sets_of_listed q r sets : sets_of q r = Some sets -> In (q, sets) r.
  Proof.
    induction r as [| [p listed] r IH]; simpl; [discriminate |]. destruct (same_state p q) as [-> | _]; [| tauto].
    intros equal. injection equal as ->. tauto.
  Qed.

  Theorem table_complete trace : forall table, check_rows trace table = true ->
    forall q sets, In (q, sets) (hd [] table) -> forall f, shaped f -> breaks q trace f = true ->
    exists c, In c sets /\ within c f = true.
  Proof.
    induction trace as [| t trace IH]; intros table checked q sets listed f shape broken; [discriminate |].
    destruct f as [| x f]; [destruct trace; discriminate |].
    assert (known : In x (vectors inputs)) by (rewrite <- (shape x); [apply vectors_all | left; trivial]).
    destruct trace as [| t' trace].
    - destruct f as [| y f]; [| discriminate].
      destruct table as [| r [| later table]]; simpl in checked, listed; [discriminate | |];
        [| rewrite andb_false_r in checked; discriminate].
      rewrite forallb_forall in checked. specialize (checked _ listed). unfold check_last in checked.
      rewrite forallb_forall in checked. specialize (checked _ known). cbn [fst snd] in checked.
      rewrite broken in checked. apply existsb_exists. exact checked.
    - destruct table as [| r [| later table]]; try discriminate.
      change (forallb (check_step t later) r && check_rows (t' :: trace) (later :: table) = true) in checked.
      rewrite andb_true_iff in checked. destruct checked as [here below].
      rewrite forallb_forall in here. specialize (here _ listed). unfold check_step in here.
      rewrite forallb_forall in here. specialize (here _ known). cbn [fst snd] in here.
      destruct (sets_of (next q (flipped t x)) later) as [next_sets |] eqn:found; [| discriminate].
      destruct (IH _ below _ _ (sets_of_listed _ _ _ found) f) as [l [there inside]].
      + intros y i. apply shape. right. exact i.
      + exact broken.
      + rewrite forallb_forall in here. specialize (here _ there). apply existsb_exists in here.
        destruct here as [c [stands fits]]. exists c. split; trivial.
        apply within_trans with (x :: l); trivial. simpl. rewrite part_itself. exact inside.
  Qed.

  Definition minimal_breaking (q : state) (trace : list vector) (f : flips) : Prop :=
    breaks q trace f = true /\ forall g, shaped g -> breaks q trace g = true -> within g f = true -> g = f.

  Theorem clauses_are_the_minimal_sets trace table q clauses :
    check_rows trace table = true -> In (q, clauses) (hd [] table) ->
    (forall c, In c clauses -> shaped c /\ breaks q trace c = true) ->
    (forall c d, In c clauses -> In d clauses -> within c d = true -> c = d) ->
    forall f, shaped f -> (minimal_breaking q trace f <-> In f clauses).
  Proof.
    intros checked listed break_it apart f shape. split.
    - intros [broken least]. destruct (table_complete _ _ checked _ _ listed f shape broken) as [c [stands inside]].
      destruct (break_it c stands) as [c_shape c_breaks]. rewrite <- (least c c_shape c_breaks inside). exact stands.
    - intros stands. split; [apply break_it, stands |]. intros g g_shape g_breaks inside.
      destruct (table_complete _ _ checked _ _ listed g g_shape g_breaks) as [c [c_stands c_inside]].
      assert (equal : c = f) by (apply apart; trivial; eapply within_trans; eassumption).
      apply within_same; trivial. rewrite <- equal. exact c_inside.
  Qed.
End Machine.
