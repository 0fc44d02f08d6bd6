import { Badge, type MantineColor } from '@mantine/core'

export type Tone = 'good' | 'bad' | 'warning' | 'busy' | 'quiet'

const colors: Readonly<Record<Tone, MantineColor>> = {
  good: 'teal',
  bad: 'red',
  warning: 'yellow',
  busy: 'blue',
  // Its own shade is that of the badge in the dark.
  quiet: 'gray.6',
}

/** A state in a word. The colour only repeats the word. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="dot" color={colors[tone]} tt="none" fw={500} miw="max-content">
      {children}
    </Badge>
  )
}
