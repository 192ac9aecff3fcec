;; EAR-Sim: the ruleset physical/2 for one agent.
;; After each action stands the command that it is. A walk that a closed door stops is no action
;; here: GOTO is one only where the way is free.

(define (domain physical)
  (:requirements :typing :adl :derived-predicates)
  (:types
    node mark hand - object
    room door thing - node
    vessel - thing)                         ; a container that shares a circuit with others
  (:constants
    broken - mark)
  (:predicates
    ;; What never changes.
    (home ?x - thing ?r - room)             ; where x is at the start
    (liftable ?x - thing)                   ; neither too heavy nor too large for the agent
    (container ?x - thing)
    (hideable ?x - thing)                   ; in something that can be closed, at any depth
    (hides ?y ?x - thing)                   ; x is directly in y at the start
    (open-way ?r ?s - room)
    (door-way ?r ?s - room ?d - door)
    (side ?d - door ?r - room)
    (key ?x - node ?k - thing)
    (keyed ?x - node)
    (before ?g ?h - hand)
    (begin ?m - mark)
    (pass ?m ?n - mark)
    (add ?m - mark ?x - thing ?n - mark)
    (fill ?m - mark ?x ?y - thing ?n - mark)
    (crowded ?m - mark ?y - thing ?n - mark); y holds more than fits at the start
    (lay ?m - mark ?x ?y - thing ?n - mark)
    (covered ?m - mark ?y - thing ?n - mark); more lies on y at the start than its area holds
    (lid-on-top ?x - node)
    (corded ?x - thing)                     ; stays where it is plugged in
    (for-several ?x - node)                 ; its states take several people to change
    (too-large-for ?x ?y - thing)           ; to be in y
    (too-wide-for ?x ?y - thing)            ; to be on y
    (asked ?r - room)                       ; the goal asks what is inside r

    ;; What changes.
    (agent-in ?r - room)
    (standing-at ?n - node)               ; the focus, where it is a piece or a door
    (in-the-open)                           ; the focus is the room
    (explored ?r - room)
    (seen ?x - thing)                       ; for what is hideable
    (at ?x - thing ?p - node)              ; directly in or on p
    (inside ?x - thing)                     ; in rather than on
    (held ?x - thing ?h - hand)
    (free ?h - hand)
    (busy ?h - hand)
    (added-to ?y - thing)                   ; something was put in; of vessels, into this last
    (laid-on ?y - thing)                    ; something was put on
    (never)

    ;; What follows.
    (way ?r - room)
    (shut-in ?x - thing)
    (tied ?x - thing)                       ; it or something in or on it is plugged in
    (here ?x - thing)                       ; directly in the agent's room
    (shown ?x - thing)
    (known ?x - thing)
    (beside ?x - thing)
    (through ?x - thing ?h - hand)
    (near ?x - node)
    (offered ?y - thing ?h - hand)          ; to what hand h holds
    (in-hand ?x - thing)
    (carried ?x - thing)
    (inside-room ?x - thing ?r - room)
    (reached ?m - mark)
;;PREDICATES
  )

  ;; -- Places --------------------------------------------------------------------------------

  (:derived (way ?r - room)
    (agent-in ?r))
  (:derived (way ?s - room)
    (exists (?r - room) (and (open-way ?r ?s) (way ?r))))
  (:derived (way ?s - room)
    (exists (?r - room ?d - door) (and (door-way ?r ?s ?d) (is_open ?d) (way ?r))))

  (:derived (in-hand ?x - thing)
    (exists (?h - hand) (held ?x ?h)))

  (:derived (inside-room ?x - thing ?r - room)
    (and (asked ?r) (at ?x ?r)))
  (:derived (inside-room ?x - thing ?r - room)
    (and (asked ?r) (in-hand ?x) (agent-in ?r)))
  (:derived (inside-room ?x - thing ?r - room)
    (exists (?y - thing) (and (at ?x ?y) (inside-room ?y ?r))))

  ;; -- Lids ----------------------------------------------------------------------------------
  ;; A closed container shuts off what is in it, not what lies on it.

  (:derived (shut-in ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (inside ?x) (has-is_open ?y) (not (is_open ?y)))))

  (:derived (tied ?x - thing)
    (and (corded ?x) (is_plugged_in ?x)))
  (:derived (tied ?x - thing)
    (exists (?y - thing) (and (at ?y ?x) (tied ?y))))

  ;; -- Knowing -------------------------------------------------------------------------------
  ;; What nothing can hide is known once the room where it was at the start has been explored:
  ;; what is unknown cannot be moved.

  (:derived (known ?x - thing)
    (exists (?r - room) (and (not (hideable ?x)) (home ?x ?r) (explored ?r))))
  (:derived (known ?x - thing)
    (seen ?x))

  (:derived (here ?x - thing)
    (exists (?r - room) (and (at ?x ?r) (agent-in ?r))))
  (:derived (shown ?x - thing)
    (here ?x))
  (:derived (shown ?x - thing)
    (in-hand ?x))
  (:derived (shown ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (shown ?y) (not (shut-in ?x)))))

  ;; -- What is near --------------------------------------------------------------------------

  (:derived (beside ?x - thing)             ; by the focus
    (standing-at ?x))
  (:derived (beside ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (beside ?y) (not (shut-in ?x)))))

  (:derived (through ?x - thing ?h - hand)  ; by what a hand holds
    (held ?x ?h))
  (:derived (through ?x - thing ?h - hand)
    (exists (?y - thing) (and (at ?x ?y) (through ?y ?h) (not (shut-in ?x)))))

  (:derived (near ?x - thing)
    (and (known ?x) (beside ?x)))
  (:derived (near ?x - thing)
    (exists (?h - hand) (and (known ?x) (through ?x ?h))))
  (:derived (near ?x - door)
    (standing-at ?x))

  ;; To put down on or in: nothing goes in or on its own contents, which are near through the hand
  ;; that holds it.
  (:derived (offered ?y - thing ?h - hand)
    (and (known ?y) (beside ?y)))
  (:derived (offered ?y - thing ?h - hand)
    (exists (?g - hand) (and (not (= ?g ?h)) (known ?y) (through ?y ?g))))

  ;; -- Scales --------------------------------------------------------------------------------
  ;; A scale leads from mark to mark, past the things that count, the heaviest first: over `pass`
  ;; whether the thing is there or not, over the others only if it is. It leads to `broken` if and
  ;; only if the sum is over the limit, of the agent or of a container.
  ;; What was crowded from the start may stay so, as long as nothing is put in.
  ;; What one cannot lift, or does not fit, is told after it was done: then no action is left, and
  ;; no goal.

  (:derived (carried ?x - thing)
    (in-hand ?x))
  (:derived (carried ?x - thing)
    (exists (?y - thing) (and (at ?x ?y) (carried ?y))))

  (:derived (reached ?n - mark)
    (begin ?n))
  (:derived (reached ?n - mark)
    (exists (?m - mark) (and (pass ?m ?n) (reached ?m))))
;;GATES
  (:derived (reached ?n - mark)
    (exists (?m - mark ?x - thing) (and (add ?m ?x ?n) (reached ?m) (carried ?x))))
  (:derived (reached ?n - mark)
    (exists (?m - mark ?x ?y - thing) (and (fill ?m ?x ?y ?n) (reached ?m) (at ?x ?y) (inside ?x) (added-to ?y))))
  (:derived (reached ?n - mark)
    (exists (?m - mark ?y - thing) (and (crowded ?m ?y ?n) (reached ?m) (added-to ?y))))
  (:derived (reached ?n - mark)
    (exists (?m - mark ?x ?y - thing) (and (lay ?m ?x ?y ?n) (reached ?m) (at ?x ?y) (not (inside ?x)) (laid-on ?y))))
  (:derived (reached ?n - mark)
    (exists (?m - mark ?y - thing) (and (covered ?m ?y ?n) (reached ?m) (laid-on ?y))))

  ;; -- Commands ------------------------------------------------------------------------------

  (:action goto-room                        ; GOTO ?to
    :parameters (?from ?to - room)
    :precondition (and (not (reached broken))
      (agent-in ?from) (way ?to))
    :effect (and (not (agent-in ?from)) (agent-in ?to)
      (forall (?n - node) (not (standing-at ?n))) (in-the-open)))

  ;; Going to what is in or on a piece is going to the piece; that needs no action.
  (:action goto-piece                       ; GOTO ?x
    :parameters (?x - thing)
    :precondition (and (not (reached broken))
      (here ?x) (known ?x))
    :effect (and (forall (?n - node) (not (standing-at ?n))) (not (in-the-open))
      (standing-at ?x)))

  (:action goto-door                        ; GOTO ?d
    :parameters (?d - door ?r - room)
    :precondition (and (not (reached broken))
      (side ?d ?r) (agent-in ?r))
    :effect (and (forall (?n - node) (not (standing-at ?n))) (not (in-the-open))
      (standing-at ?d)))

  (:action explore-room                     ; EXPLORE
    :parameters (?r - room)
    :precondition (and (not (reached broken))
      (agent-in ?r))
    :effect (and (explored ?r)
      (forall (?x - thing) (when (and (hideable ?x) (shown ?x)) (seen ?x)))))

  ;; The first free hand takes it, from wherever it is.
  (:action grab                             ; GRAB ?x
    :parameters (?x - thing ?h - hand)
    :precondition (and (not (reached broken))
      (liftable ?x) (near ?x) (not (in-hand ?x)) (free ?h) (not (tied ?x))
      (forall (?g - hand) (imply (before ?g ?h) (busy ?g))))
    :effect (and (not (inside ?x)) (not (free ?h)) (busy ?h)
      (forall (?p - node) (when (at ?x ?p) (and (not (at ?x ?p)) (held ?x ?h))))
      (when (standing-at ?x) (and (not (standing-at ?x)) (in-the-open)))))

  ;; RELEASE does the same.
  (:action put-down                         ; PLACE ?x in ?r
    :parameters (?x - thing ?r - room ?h - hand)
    :precondition (and (not (reached broken))
      (liftable ?x) (held ?x ?h) (agent-in ?r))
    :effect (and (not (held ?x ?h)) (free ?h) (not (busy ?h)) (at ?x ?r) (inside ?x)
      (when (in-the-open) (and (not (in-the-open)) (standing-at ?x)))))

  (:action put-on                           ; PLACE ?x on ?y
    :parameters (?x ?y - thing ?h - hand)
    :precondition (and (not (reached broken))
      (liftable ?x) (not (too-wide-for ?x ?y)) (held ?x ?h) (offered ?y ?h))
    :effect (and (not (held ?x ?h)) (free ?h) (not (busy ?h)) (at ?x ?y) (laid-on ?y)))

  (:action put-in                           ; PLACE ?x in ?y
    :parameters (?x ?y - thing ?h - hand)
    :precondition (and (not (reached broken))
      (liftable ?x) (held ?x ?h) (offered ?y ?h) (container ?y) (not (too-large-for ?x ?y))
      (imply (has-is_open ?y) (is_open ?y)))
    :effect (and (not (held ?x ?h)) (free ?h) (not (busy ?h)) (at ?x ?y) (inside ?x)
      (forall (?z - vessel) (not (added-to ?z))) (added-to ?y)))

  ;; -- Attribute verbs -----------------------------------------------------------------------

;;VERBS
)
