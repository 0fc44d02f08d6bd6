import { Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'

/** A part of a page with a heading of its own. @param props.anchor what an address names it by, behind its `#` */
export function Section(props: {
  title: string
  hint?: ReactNode
  actions?: ReactNode
  anchor?: string
  children?: ReactNode
}) {
  const { title, hint, actions, anchor, children } = props
  const id = useId()
  const section = useRef<HTMLElement>(null)
  // The browser has looked for it before the page was loaded.
  useEffect(() => {
    if (anchor !== undefined && location.hash === `#${anchor}`) section.current?.scrollIntoView()
  }, [anchor])
  return (
    <Paper component="section" ref={section} aria-labelledby={id} withBorder p="md" className="section">
      <Group justify="space-between" mb={children ? 'sm' : 0} gap="0.25rem 0.75rem">
        <div className="section-head">
          <Title order={2} id={id} size="h3">
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  )
}
