import { Badge } from '@mantine/core'

export type Tone = 'good' | 'bad' | 'warning' | 'busy' | 'quiet'

/** A state in a word. The colour, of theme.ts, only repeats the word. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="dot" color={`var(--tone-${tone})`} tt="none" fw={500} miw="max-content">
      {children}
    </Badge>
  )
}
