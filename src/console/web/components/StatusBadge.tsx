import { Badge, type MantineColor } from '@mantine/core'

export type Tone = 'good' | 'bad' | 'warning' | 'busy' | 'quiet'

const colors: Readonly<Record<Tone, MantineColor>> = {
  good: 'teal',
  bad: 'red',
  warning: 'yellow',
  busy: 'blue',
  quiet: 'gray',
}

/** A state in a word. The colour only repeats the word. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="dot" color={colors[tone]} tt="none" fw={500} miw="max-content">
      {children}
    </Badge>
  )
}
