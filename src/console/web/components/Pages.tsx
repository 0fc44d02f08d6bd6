import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

/** A way to another page of a list, and what the address says of that page; null: there is none. */
type Way<Filters> = readonly [label: string, to: Partial<Filters> | null]

/** The ways back and on from a page of a list, whose place stands in the address (`useFilters`). */
export function Pages<Filters>(props: {
  back: readonly Way<Filters>[]
  next: Way<Filters>
  onChange: (to: Partial<Filters>) => void
  children?: ReactNode
}) {
  const { back, next, onChange, children } = props
  if ([...back, next].every(([, to]) => to === null)) return null
  const button = ([label, to]: Way<Filters>, at = 0) => {
    if (to === null) return null
    const go = () => {
      onChange(to)
      window.scrollTo({ top: 0 })
    }
    return (
      <Button key={label} variant={at === 0 ? 'default' : 'subtle'} onClick={go}>
        {label}
      </Button>
    )
  }
  return (
    <Group justify="space-between" mt="md" component="nav" aria-label={texts.common.pages}>
      <Group gap="xs">{back.map(button)}</Group>
      {children}
      {button(next)}
    </Group>
  )
}
