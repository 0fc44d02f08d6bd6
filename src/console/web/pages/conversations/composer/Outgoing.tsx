import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconClock, IconFile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useWorkspaceRoutes } from '../../../app/workspaceData.ts'
import { ErrorView } from '../../../components/ErrorView.tsx'
import { Hint } from '../../../components/Hint.tsx'
import { Time, useNow } from '../../../components/Time.tsx'
import { composer as words } from '../../../texts/en/composer.ts'
import { texts } from '../../../texts/texts.ts'
import type { Outgoing } from './composition.ts'
import { type ComposerState, mayRepeat } from './useComposer.ts'

/** Later than that, who waits is told why. */
const patienceMs = 4_000

/** A message that the gateway does not show yet: it waits for an answer, or was refused. */
export function OutgoingView({ one, composer }: { one: Outgoing; composer: ComposerState }) {
  useNow()
  const { at, draft, message, words: said, problem } = one
  const [file] = 'mediaId' in message ? draft.files : []
  const isSlow = problem === null && Date.now() - at > patienceMs
  const isStopped = problem === null && !mayRepeat(one)
  return (
    <li className="said-by-us">
      <div className="said said-unsent">
        <VisuallyHidden>{texts.messages.you}:</VisuallyHidden>
        {file && (
          <Hint>
            <IconFile size={14} /> <bdi>{file.name}</bdi>
          </Hint>
        )}
        {said !== file?.name && (
          <div className="phone-words" dir="auto">
            {said}
          </div>
        )}
        <Group gap={5} justify="flex-end" fz="xs" c="dimmed">
          <span className="said-by">{texts.messages.you}</span>
          <Time at={new Date(at).toISOString()} precision="clock" />
          {problem === null ? (
            <IconClock size={16} role="img" aria-label={words.waiting} />
          ) : (
            <IconAlertCircle size={16} color="var(--mantine-color-error)" aria-hidden />
          )}
        </Group>
        {isSlow && <Hint>{isStopped ? words.stopped : words.unanswered}</Hint>}
        {problem !== null && (
          <Text size="xs" c="red">
            {words.notSent} {problem}
          </Text>
        )}
        {(problem !== null || isStopped) && (
          <Group gap={4} mt={4}>
            <Action label={words.again} onClick={() => composer.again(one)} />
            {problem !== null && message.type !== 'location' && (
              <Action label={words.edit} onClick={() => composer.edit(one)} />
            )}
            <Action label={words.discard} onClick={() => composer.discard(one)} />
          </Group>
        )}
      </div>
    </li>
  )
}

const Action = ({ label, onClick, isBusy = false }: { label: string; onClick: () => void; isBusy?: boolean }) => (
  <Button size="xs" variant="default" onClick={onClick} loading={isBusy}>
    {label}
  </Button>
)

/** Of a message that failed: the same once more. However often and by whom it is pressed, it is sent once. */
export function Again({ messageId }: { messageId: string }) {
  const { routes, change } = useWorkspaceRoutes()
  const idempotencyKey = `console-again-${messageId}`
  const again = useMutation({
    mutationFn: () => change(routes.messages({ messageId })['send-again'].post({ idempotencyKey }), 'conversations'),
  })
  if (again.isSuccess) return <Hint>{words.sentAgain}</Hint>
  return (
    <>
      <Action label={words.again} onClick={() => again.mutate()} isBusy={again.isPending} />
      {again.error && <ErrorView error={again.error} />}
    </>
  )
}
