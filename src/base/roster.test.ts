import { describe, expect, it } from 'vitest'
import { Roster, type Seated } from './roster.ts'

class Member implements Seated {
  seat = -1
}

function members(count: number): Member[] {
  return Array.from({ length: count }, () => new Member())
}

describe('a roster', () => {
  it('has who was added and not removed', () => {
    const roster = new Roster<Member>()
    const all = members(5)
    for (const member of all) roster.add(member)
    const [first, , third] = all
    for (const member of [first, third]) if (member !== undefined) roster.remove(member)
    expect(new Set(roster)).toEqual(new Set(all.filter((_, at) => at !== 0 && at !== 2)))
    expect(roster.size).toBe(3)
  })

  it('takes a member once', () => {
    const roster = new Roster<Member>()
    const member = new Member()
    roster.add(member)
    roster.add(member)
    expect([...roster]).toEqual([member])
    roster.remove(member)
    roster.remove(member)
    expect(roster.size).toBe(0)
  })

  it('removes nobody for one that sits elsewhere', () => {
    const [roster, other] = [new Roster<Member>(), new Roster<Member>()]
    const [here, there] = [new Member(), new Member()]
    roster.add(here)
    other.add(there)
    roster.remove(there)
    expect([...roster]).toEqual([here])
    expect([...other]).toEqual([there])
  })

  it('gives away the seats of those who left', () => {
    const roster = new Roster<Member>()
    let highest = 0
    for (let round = 0; round < 1000; round += 1) {
      const some = members(3)
      for (const member of some) roster.add(member)
      for (const member of some) highest = Math.max(highest, member.seat)
      for (const member of some) roster.remove(member)
    }
    expect(highest).toBe(2)
  })

  it('can be walked while members leave', () => {
    const roster = new Roster<Member>()
    for (const member of members(10)) roster.add(member)
    for (const member of roster) roster.remove(member)
    expect(roster.size).toBe(0)
  })
})
