import { IconUser } from '@tabler/icons-react'
import type { CSSProperties } from 'react'

/** @returns the first letters of the first and of the last word; of an address, of its parts beside the `@` */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s@]+/).filter(part => part !== '')
  const letters = [parts[0], parts.slice(1).at(-1)].map(part => [...(part ?? '')][0] ?? '')
  // Letters of a script that joins them stand apart.
  return letters.join('\u200c').toUpperCase()
}

/** Of neighbours in a list nearly each has another one. */
const hueOf = (id: string) => [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 0)

/**
 * Makes a person known again at a glance. The name stands beside it: a screen reader reads that alone.
 * @param props.id chooses the colour, which stays as it is when the name changes
 * @param props.name null: the person is known by a number
 * @param props.size beside a line of text, or beside two
 */
export const Initials = ({ id, name, size = 'md' }: { id: string; name: string | null; size?: 'sm' | 'md' }) => (
  <span className="initials" data-size={size} dir="auto" style={{ '--hue': hueOf(id) } as CSSProperties} aria-hidden>
    {name === null ? <IconUser size={18} stroke={1.6} /> : initialsOf(name)}
  </span>
)
