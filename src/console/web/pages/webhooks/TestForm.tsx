import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { isPlatformType } from '../../../../base/eventTypes.ts'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { whole } from '../../components/numbers.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { type Attempt, useTests, useWebhooks, type Webhook } from './queries.ts'

type EventType = NonNullable<Webhook['events']>[number]

/** Sends an example event to an endpoint, and shows what came back. */
export function TestForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { id: webhookId, format, events } = webhook
  const { routes } = useWorkspaceRoutes()
  const [, addTest] = useTests(webhookId)
  const types = useWebhooks().data?.eventTypes ?? []
  // One of the platform's format takes no other type.
  const isTaken = (type: string) => (events ? events.some(own => own === type) : isPlatformType(type as EventType))
  const offered = types.flatMap(({ type }) => (format === 'events' || isTaken(type) ? [type] : []))
  const form = useForm({
    initial: { type: offered.find(type => type === 'message.delivered') ?? offered[0] ?? '' },
    // The gateway has named the types that can be chosen.
    send: ({ type }) => answerOf(routes.webhooks({ webhookId }).test.post({ type: type as EventType })),
    onSuccess: addTest,
  })
  const { data: sent } = form.sent
  return (
    <Form form={form} submit={words.testSend} onCancel={onDone} staysOpen>
      <Text size="sm">{words.testHint}</Text>
      <NativeSelect label={words.testType} data={offered} data-autofocus {...form.text('type')} />
      {sent && (
        <Stack gap="xs" role="status">
          <Alert color={isSuccess(sent) ? 'teal' : 'red'}>{sentenceOf(sent)}</Alert>
          {sent.status !== null &&
            (sent.answer ? (
              <CodeBlock text={sent.answer} what={words.answer} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.noAnswer}
              </Text>
            ))}
        </Stack>
      )}
    </Form>
  )
}

type Outcome = Pick<Attempt, 'status' | 'error' | 'durationMs'>

/** Whether a receiver took an event. */
const isSuccess = ({ status, error }: Outcome) => error === null && status !== null && status >= 200 && status < 300

function sentenceOf(attempt: Outcome): string {
  const { status, error, durationMs } = attempt
  if (error !== null || status === null) return words.testLost(error ?? '')
  const after = words.ms(whole(durationMs))
  return isSuccess(attempt) ? words.testWorked(status, after) : words.testRefused(status, after)
}
