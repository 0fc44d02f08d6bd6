import { Anchor, Box, Container, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useDocumentTitle } from '../../components/useDocumentTitle.ts'
import icon from '../../icon.svg'
import { entry } from '../../texts/en/entry.ts'
import { texts } from '../../texts/texts.ts'

/** The frame of the pages before there is a session. */
export function EntryFrame(props: {
  title: string
  hint?: ReactNode
  children: ReactNode
  /** What else is said, below the card. */
  below?: ReactNode
}) {
  const { title, hint, children, below } = props
  const heading = useDocumentTitle(title)
  return (
    <Container size={440} py="xl" component="main">
      <Stack gap="lg" pt={{ base: 0, sm: '10vh' }}>
        <Group gap="xs">
          <img src={icon} alt="" width={32} height={32} />
          <Text fw={700} size="lg">
            {texts.shell.product}
          </Text>
        </Group>
        <Box>
          <Title order={1} ref={heading} tabIndex={-1} className="quiet-focus breakable">
            {title}
          </Title>
          {hint && (
            <Text c="dimmed" mt={4} component="div" className="breakable" style={{ textWrap: 'balance' }}>
              {hint}
            </Text>
          )}
        </Box>
        <Paper withBorder p="lg">
          {children}
        </Paper>
        {below}
      </Stack>
    </Container>
  )
}

/** Shown instead of a form whose link was used or has expired. */
export function DeadLink({ hint }: { hint: string }) {
  return (
    <EntryFrame title={entry.linkGone} hint={hint}>
      <Anchor component={Link} href="/">
        {entry.toSignIn}
      </Anchor>
    </EntryFrame>
  )
}
