import { Alert, NativeSelect, Text } from '@mantine/core'
import { hourMs } from '../../../../base/durations.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { choicesOf } from '../../components/fields.ts'
import { whole } from '../../components/numbers.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import type { Webhook } from './queries.ts'

/** Delivers again what failed, or all, since a time. */
export function ReplayForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { what: 'failed', since: '24' },
    send({ what, since: hours }) {
      const since = new Date(Date.now() - Number(hours) * hourMs).toISOString()
      const chosen = what === 'failed' ? { failedSince: since } : { since }
      return change(routes.webhooks({ webhookId: webhook.id }).replay.post(chosen), 'webhooks')
    },
  })
  const due = form.sent.data?.due
  return (
    <Form form={form} submit={words.replay} onCancel={onDone} staysOpen>
      <Text size="sm">{words.replayHint}</Text>
      <NativeSelect
        label={words.replayWhat}
        data={choicesOf(words.replayChoices)}
        data-autofocus
        {...form.text('what')}
      />
      <NativeSelect label={words.replaySince} data={choicesOf(words.replaySinceChoices)} {...form.text('since')} />
      {due !== undefined && (
        <Alert color={due === 0 ? 'gray' : 'teal'} role="status">
          {due === 0 ? words.replayedNone : words.replayed(whole(due), due === 1)}{' '}
          {due > 0 && webhook.state === 'off' && words.replayedOff}
        </Alert>
      )}
    </Form>
  )
}
