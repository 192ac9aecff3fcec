;; EAR-Sim: the ruleset ear-bench/1 for one agent, command class `plain`.
;; After each action stands the command that it is; what is in [brackets] is a section of ear-bench-rules.md.

(define (domain ear-bench)
  (:requirements :typing :adl :derived-predicates)
  (:types
    node mark bit - object
    room thing - node
    furniture item - thing)
  (:constants
    full broken - mark)
  (:predicates
    ;; What never changes.
    (home ?x - thing ?r - room)             ; where x is at the start
    (start ?r - room)                       ; where the agent is at the start
    (several-hands)
    (liftable ?x - thing)                   ; no heavier than the agent can lift
    (container ?x - thing)
    (code ?p - node ?b - bit)              ; the bits that stand for a thing; none for a room
    (begin ?m - mark)
    (pass ?m ?n - mark)
    (grip ?m - mark ?x - thing ?n - mark)
    (add ?m - mark ?x - thing ?n - mark)
    (again ?m - mark ?x - thing ?n - mark)
    (asked ?r - room)                       ; the goal asks what is inside r

    ;; What changes.
    (agent-in ?r - room)
    (explored ?r - room)
    (at ?x - thing ?p - node)              ; directly in or on p
    (inside ?x - thing)                     ; in rather than on
    (in-hand ?x - thing)
    (lit ?b - bit)                          ; what the agent has turned to
    (taken-out ?x - thing)                  ; was taken out of something in hand
    (never)

    ;; What follows.
    (away-from ?x - thing)
    (facing ?x - thing)
    (within-reach ?x - thing)
    (near ?x - thing)
    (present ?x - thing)
    (apart ?x - item)
    (in-load ?x - thing)                    ; directly in or on something in hand
    (below-hand ?x - thing)                 ; at any depth
    (operable ?x - thing)
    (shut-in ?x - thing)
    (takable ?x - thing)
    (weighs ?x - thing)
    (inside-room ?x - thing ?r - room)
    (reached ?m - mark)
;;PREDICATES
  )

  ;; -- What is near [2.4] --------------------------------------------------------------------
  ;; The near set is made anew whenever the agent turns to something, and nothing moves or is
  ;; discovered inside it before the agent turns to something else. So it is enough to keep what
  ;; the agent turned to last: as a number in binary, so that turning sets a few facts and need
  ;; not clear one for every other thing.

  (:derived (away-from ?x - thing)
    (exists (?b - bit) (and (code ?x ?b) (not (lit ?b)))))
  (:derived (away-from ?x - thing)
    (exists (?b - bit) (and (not (code ?x ?b)) (lit ?b))))

  ;; Up to the nearest piece of furniture ...
  (:derived (facing ?x - thing)
    (not (away-from ?x)))
  (:derived (facing ?x - thing)
    (exists (?y - item) (and (facing ?y) (at ?y ?x))))

  ;; ... and everything in and on it, at any depth, lids or not.
  (:derived (within-reach ?x - furniture)
    (facing ?x))
  (:derived (within-reach ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (within-reach ?y))))

  ;; Where there is no furniture, the thing itself.
  (:derived (near ?x - thing)
    (within-reach ?x))
  (:derived (near ?x - thing)
    (not (away-from ?x)))

  ;; -- Where things are ----------------------------------------------------------------------

  ;; In no furniture: directly in a room, or at an item.
  (:derived (apart ?x - item)
    (exists (?r - room) (at ?x ?r)))
  (:derived (apart ?x - item)
    (exists (?y - item) (at ?x ?y)))

  (:derived (present ?x - thing)
    (exists (?r - room) (and (at ?x ?r) (agent-in ?r))))
  (:derived (present ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (present ?y))))

  (:derived (in-load ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (in-hand ?y))))
  (:derived (below-hand ?x - thing)
    (in-load ?x))
  (:derived (below-hand ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (below-hand ?y))))

  ;; What is in hand counts as being in the room where the agent started [8, Q1].
  (:derived (operable ?x - thing)
    (present ?x))
  (:derived (operable ?x - thing)
    (in-hand ?x))
  (:derived (operable ?x - thing)
    (exists (?r - room) (and (below-hand ?x) (start ?r) (agent-in ?r))))

  ;; Only the direct container matters [3.4].
  (:derived (shut-in ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (inside ?x) (has-is_open ?y) (not (is_open ?y)))))

  ;; Out of something in hand only with another hand free, and each thing once.
  (:derived (takable ?x - thing)
    (and (near ?x) (not (shut-in ?x)) (not (in-load ?x))))
  (:derived (takable ?x - thing)
    (and (several-hands) (near ?x) (not (shut-in ?x)) (in-load ?x) (not (taken-out ?x))))

  (:derived (inside-room ?x - thing ?r - room)
    (and (asked ?r) (at ?x ?r)))
  (:derived (inside-room ?x - thing ?r - room)
    (and (asked ?r) (start ?r) (in-hand ?x)))
  (:derived (inside-room ?x - thing ?r - room)
    (exists (?y - thing) (and (at ?x ?y) (inside-room ?y ?r))))

  ;; -- Scales --------------------------------------------------------------------------------
  ;; A scale leads from mark to mark, past the things that count, the heaviest first: over `pass`
  ;; whether the thing is there or not, over the others only if it is. It leads to `broken` (the
  ;; load is over the limit) or `full` (no hand is free) if and only if the sum is too large.
  ;; What one cannot lift is told after it was taken up: then no action is left, and no goal.

  (:derived (weighs ?x - thing)
    (in-hand ?x))
  (:derived (weighs ?x - thing)             ; contents of contents weigh nothing [3.4]
    (in-load ?x))

  (:derived (reached ?n - mark)
    (begin ?n))
  (:derived (reached ?n - mark)
    (exists (?m - mark) (and (pass ?m ?n) (reached ?m))))
;;GATES
  (:derived (reached ?n - mark)
    (exists (?m - mark ?x - thing) (and (grip ?m ?x ?n) (reached ?m) (in-hand ?x))))
  (:derived (reached ?n - mark)
    (exists (?m - mark ?x - thing) (and (add ?m ?x ?n) (reached ?m) (weighs ?x))))
  (:derived (reached ?n - mark)             ; booked twice, for good [4]
    (exists (?m - mark ?x - thing) (and (again ?m ?x ?n) (reached ?m) (taken-out ?x))))

  ;; -- Commands ------------------------------------------------------------------------------
  ;; A thing is known once the room where it was at the start has been explored: what is unknown
  ;; cannot be moved, and EXPLORE sees through lids [2.5].

  (:action goto-room                        ; GOTO ?to
    :parameters (?from ?to - room)
    :precondition (and (not (reached broken))
      (agent-in ?from))
    :effect (and (not (agent-in ?from)) (agent-in ?to)
      (forall (?b - bit) (not (lit ?b)))))

  ;; Going to a thing in or on furniture is going to the furniture; those need no action.
  (:action goto-furniture                   ; GOTO ?x
    :parameters (?x - furniture ?h - room)
    :precondition (and (not (reached broken))
      (home ?x ?h) (explored ?h) (present ?x))
    :effect (and
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  (:action goto-item                        ; GOTO ?x
    :parameters (?x - item ?h - room)
    :precondition (and (not (reached broken))
      (home ?x ?h) (explored ?h) (apart ?x) (present ?x))
    :effect (and
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  ;; To what lies in or on something in hand; of use only with another hand free.
  (:action goto-below-hand                     ; GOTO ?x
    :parameters (?x - thing ?r - room)
    :precondition (and (not (reached broken)) (several-hands)
      (below-hand ?x) (start ?r) (agent-in ?r))
    :effect (and
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  (:action explore-room                     ; EXPLORE
    :parameters (?r - room)
    :precondition (and (not (reached broken))
      (agent-in ?r))
    :effect (explored ?r))

  ;; What is taken out of something in hand is booked a second time [4]; each thing once.
  (:action grab-from                        ; GRAB ?x
    :parameters (?x - thing ?p - node)
    :precondition (and (not (reached broken)) (not (reached full))
      (liftable ?x) (at ?x ?p) (takable ?x))
    :effect (and (not (at ?x ?p)) (not (inside ?x)) (in-hand ?x)
      (when (in-load ?x) (taken-out ?x))
      (forall (?b - bit) (when (code ?p ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?p ?b)) (not (lit ?b))))))

  (:action put-down                         ; PLACE ?x in ?r
    :parameters (?x - thing ?r - room)
    :precondition (and (not (reached broken))
      (liftable ?x) (in-hand ?x) (agent-in ?r))
    :effect (and (not (in-hand ?x)) (at ?x ?r) (inside ?x)
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  (:action put-on                           ; PLACE ?x on ?y
    :parameters (?x ?y - thing)
    :precondition (and (not (reached broken))
      (liftable ?x) (in-hand ?x) (near ?y) (present ?y))
    :effect (and (not (in-hand ?x)) (at ?x ?y)
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  ;; Closed or not, and however much is in it [3.5].
  (:action put-in                           ; PLACE ?x in ?y
    :parameters (?x ?y - thing)
    :precondition (and (not (reached broken))
      (liftable ?x) (in-hand ?x) (container ?y) (near ?y) (present ?y))
    :effect (and (not (in-hand ?x)) (at ?x ?y) (inside ?x)
      (forall (?b - bit) (when (code ?x ?b) (lit ?b)))
      (forall (?b - bit) (when (not (code ?x ?b)) (not (lit ?b))))))

  ;; -- Attribute verbs [3.8] -----------------------------------------------------------------

;;VERBS
)
