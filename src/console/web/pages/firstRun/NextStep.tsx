import { Button, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'
import { type Setup, stepsOf } from './queries.ts'

const words = texts.firstRun

/** In place of the figures of a workspace that has sent nothing: what comes next. */
export function NextStep({ setup }: { setup: Setup }) {
  const { id } = useWorkspace()
  const steps = stepsOf(setup)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Paper withBorder p="xl" maw={640}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {words.navigation(done, steps.length)}
        </Text>
        <Progress value={(done / steps.length) * 100} w="100%" aria-label={words.navigation(done, steps.length)} />
        {next && (
          <>
            <Title order={2} size="h3">
              {words.nextIs(words[next.name].title)}
            </Title>
            <Text c="dimmed">{words[next.name].hint}</Text>
          </>
        )}
        <Button component={Link} href={`/w/${id}/setup`} mt="xs">
          {words.go}
        </Button>
      </Stack>
    </Paper>
  )
}
