/**
 * Who is there, made for members that come and go all the time. No order, and no look-up by a key.
 *
 * A `Set` would do, but each time one is filled and emptied its old storage goes on pointing at what it held, and the
 * collector carries all of it along for a while. Here a member has a seat that is written over.
 */

/** A member knows its seat; it is on one roster at a time. */
export interface Seated {
  /** Only the roster writes it. -1 for one that is on none. */
  seat: number
}

export class Roster<Member extends Seated> implements Iterable<Member> {
  readonly #seats: (Member | undefined)[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#seats.length - this.#free.length
  }

  /** One that is there already stays. */
  add(member: Member): void {
    if (member.seat >= 0) return
    const seat = this.#free.pop() ?? this.#seats.length
    this.#seats[seat] = member
    member.seat = seat
  }

  /** It need not be there. */
  remove(member: Member): void {
    const { seat } = member
    if (seat < 0 || this.#seats[seat] !== member) return
    this.#seats[seat] = undefined
    this.#free.push(seat)
    member.seat = -1
  }

  /** Everyone, in no certain order. Members may leave meanwhile; those that join may be left out. */
  *[Symbol.iterator](): IterableIterator<Member> {
    for (let seat = 0; seat < this.#seats.length; seat += 1) {
      const member = this.#seats[seat]
      if (member !== undefined) yield member
    }
  }
}
