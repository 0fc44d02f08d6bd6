import type { Random } from '../rig/random.ts'

const nul = String.fromCharCode(0)
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Values that somebody, somewhere, will send in the place of another. */
const oddities: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1e308,
  () => 2 ** 64,
  () => '',
  () => ' ',
  () => nul,
  () => `a${nul}b`,
  () => '\ud800',
  () => '😀'.repeat(50),
  () => 'x'.repeat(5_000),
  () => '../../etc/passwd',
  () => "'; DROP TABLE messages; --",
  () => '{{1}}',
  () => [],
  () => [[]],
  () => ({}),
  () => ({ constructor: { prototype: {} } }),
  () => JSON.parse('{"__proto__":{"type":"text"}}'),
  () => nested(100),
]

const oddNames = ['__proto__', 'constructor', 'toString', '', '0', 'type', 'phone', 'content', 'length', nul, 'a/b~c']

/** @returns the value with one thing in it changed, added, moved or taken away. */
export function mutate(value: unknown, random: Random): unknown {
  if (random.chance(0.15) || typeof value !== 'object' || value === null) return random.pick(oddities)()
  if (Array.isArray(value)) return mutateList([...value], random)
  const entries = Object.entries(value)
  const at = random.whole(0, Math.max(0, entries.length - 1))
  const chosen = entries[at]
  const draw = random.next()
  if (!chosen || draw < 0.15) entries.push([random.pick(oddNames), random.pick(oddities)()])
  else if (draw < 0.25) entries.splice(at, 1)
  else if (draw < 0.3) entries[at] = [random.pick(oddNames), chosen[1]]
  else entries[at] = [chosen[0], mutate(chosen[1], random)]
  // A name like `__proto__` must stay a name.
  const mutated: Record<string, unknown> = Object.create(null)
  for (const [name, inner] of entries) mutated[name] = inner
  return mutated
}

function mutateList(list: unknown[], random: Random): unknown[] {
  const at = random.whole(0, Math.max(0, list.length - 1))
  const draw = random.next()
  if (list.length === 0 || draw < 0.2) list.push(random.pick(oddities)())
  else if (draw < 0.3) list.splice(at, 1)
  else if (draw < 0.4) list.push(list[at])
  else list[at] = mutate(list[at], random)
  return list
}

/** @returns the bytes of a body, sometimes cut, doubled, garbled or with a key that stands twice. */
export function spoil(text: string, random: Random): Uint8Array {
  const bytes = Buffer.from(text)
  const at = random.whole(0, bytes.length)
  switch (random.whole(0, 9)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes, bytes])
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.whole(0, 255)]), bytes.subarray(at)])
    case 3:
      return Buffer.from(text.replace('{', '{"type":"text","type":7,'))
    case 4:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
    default:
      return bytes
  }
}
