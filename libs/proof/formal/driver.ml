(* Reads problems, one a line, as words between blanks, and prints `proved` or `refuted` for each.

   A line is   table|path INITIAL GRAPH HYPOTHESIS CERTIFICATE
   GRAPH       number of events, then for each: event, number of followers, followers
   HYPOTHESIS  FORMULAS; the last of them counts
   FORMULAS    how many, then for each: operator and operands; an operand of atom and not is an event, of all other
               operators the place of a formula before it
   CERTIFICATE for table: FORMULAS, number of entries, for each entry: event, number of formulas, their places, rank;
               number of promises, for each: a place, or -1 for none
               for path: length of the prefix, its events, length of the cycle, its events *)

open Checkers

exception Bad of string

let words = ref []

let word () =
  match !words with
  | [] -> raise (Bad "the line is too short")
  | first :: rest -> words := rest; first

let number () =
  match int_of_string_opt (word ()) with
  | Some n when -1 <= n && n <= 1_000_000 -> n
  | _ -> raise (Bad "a number from 0 to 1000000 was expected")

let natural () = let n = number () in if n < 0 then raise (Bad "a number is below 0") else n

let rec times n read = if n = 0 then [] else let first = read () in first :: times (n - 1) read
let several read = times (natural ()) read

(* Formulas whose operands are places in what was read so far. *)
let formulas of_event unary binary =
  let known = Hashtbl.create 50 in
  let operand () =
    match Hashtbl.find_opt known (natural ()) with
    | Some formula -> formula
    | None -> raise (Bad "an operand has to come before the formula") in
  let one () =
    let operator = word () in
    let made =
      match operator with
      | "atom" | "not" -> of_event operator (natural ())
      | "X" | "F" | "G" -> unary operator (operand ())
      | _ -> let left = operand () in binary operator left (operand ()) in
    Hashtbl.add known (Hashtbl.length known) made;
    made in
  several one

let unknown operator = raise (Bad ("no operator: " ^ operator))

let hypothesis () =
  let read =
    formulas
      (fun operator event -> if operator = "atom" then Atom event else Not (Atom event))
      (fun operator a -> match operator with "X" -> X a | "F" -> F a | _ -> G a)
      (fun operator a b ->
        match operator with
        | "&" -> And (a, b) | "|" -> Or (a, b) | "U" -> U (a, b) | "W" -> W (a, b)
        | "M" -> M (a, b) | "R" -> R (a, b) | _ -> unknown operator) in
  match List.rev read with [] -> raise (Bad "there is no hypothesis") | last :: _ -> last

let obligations () =
  Array.of_list
    (formulas
       (fun operator event -> if operator = "atom" then Is event else IsNot event)
       (fun operator a -> match operator with "X" -> Next a | "F" -> Eventually a | _ -> Always a)
       (fun operator a b ->
         match operator with
         | "&" -> Both (a, b) | "|" -> Either (a, b) | "U" -> Until (a, b) | "W" -> WeakUntil (a, b)
         | "M" -> UpTo (a, b) | "R" -> WeakUpTo (a, b) | _ -> unknown operator))

let check () =
  let kind = word () in
  let initial = natural () in
  let graph = several (fun () -> let event = natural () in (event, several natural)) in
  let hypothesis = hypothesis () in
  if kind = "path" then
    let prefix = several natural in
    check_lasso graph initial hypothesis prefix (several natural)
  else if kind = "table" then begin
    let known = obligations () in
    let at place =
      if place < Array.length known then known.(place) else raise (Bad "no formula has this place") in
    let entry () =
      let event = natural () in
      let held = several (fun () -> at (natural ())) in
      ((event, held), natural ()) in
    let entries = several entry in
    let promise () = let place = number () in if place < 0 then None else Some (at place) in
    check_table graph initial hypothesis (entries, several promise)
  end
  else raise (Bad "a line begins with table or path")

let () =
  try
    while true do
      words := List.filter (( <> ) "") (String.split_on_char ' ' (input_line stdin));
      match check () with
      | answer -> print_endline (if answer && !words = [] then "proved" else "refuted")
      | exception Bad why -> print_endline ("refuted: " ^ why)
    done
  with End_of_file -> ()
