import { Button, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'
import { progressOf, type Setup } from './queries.ts'

const words = texts.firstRun

/** In place of the figures of a workspace that has sent nothing: what comes next. */
export function NextStep({ setup }: { setup: Setup }) {
  const { id } = useWorkspace()
  const { share, next, words: progress } = progressOf(setup)
  return (
    <Paper withBorder p="xl" maw={640}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {progress}
        </Text>
        <Progress value={share * 100} w="100%" aria-label={progress} />
        {next && (
          <>
            <Title order={2} size="h3">
              {words.nextIs(words[next].title)}
            </Title>
            <Text c="dimmed">{words[next].hint}</Text>
          </>
        )}
        <Button component={Link} href={`/w/${id}/setup`} mt="xs">
          {words.go}
        </Button>
      </Stack>
    </Paper>
  )
}
