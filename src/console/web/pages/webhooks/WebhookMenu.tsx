import { flushSync } from 'react-dom'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Action, ActionMenu } from '../../components/ActionMenu.tsx'
import { GraceForm } from '../../components/GraceForm.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { type Webhook, webhookName } from './queries.ts'
import { TestForm } from './TestForm.tsx'
import { NewWebhookSecret, WebhookForm } from './WebhookForm.tsx'

/** All actions of an admin on an endpoint. @param onRemoved called once it is gone */
export function WebhookMenu({ webhook, onRemoved }: { webhook: Webhook; onRemoved?: () => void }) {
  const { routes, refresh, change } = useWorkspaceRoutes()
  const { id: webhookId, state, format } = webhook
  const name = webhookName(webhook)
  const isOn = state === 'off'
  const label = isOn ? words.switchOn : words.switchOff
  const switched: Action = {
    label,
    title: name,
    dialog: {
      text: isOn ? words.switchOnQuestion : words.switchOffQuestion,
      confirmLabel: label,
      onConfirm: () => change(routes.webhooks({ webhookId }).state.put({ isOn })),
      isHarmless: isOn,
    },
  }
  const remove: Action = {
    label: words.remove,
    title: words.removeTitle(name),
    isGrave: true,
    dialog: {
      text: words.removeQuestion,
      confirmLabel: words.remove,
      async onConfirm() {
        await answerOf(routes.webhooks({ webhookId }).delete())
        // Its page is left before it would be read again.
        flushSync(() => onRemoved?.())
        await refresh()
      },
    },
  }
  return (
    <ActionMenu
      of={name}
      actions={[
        { label: words.test, title: words.test, dialog: close => <TestForm webhook={webhook} onDone={close} /> },
        { label: words.edit, title: name, dialog: close => <WebhookForm webhook={webhook} onDone={close} /> },
        {
          label: words.rotate,
          title: words.rotate,
          dialog: close => (
            <GraceForm
              words={format === 'platform' ? { ...words, rotateHint: words.rotateAtOnce, grace: undefined } : words}
              rotate={body => answerOf(routes.webhooks({ webhookId }).rotate.post(body))}
              shown={({ secret, formerUntil }) => (
                <NewWebhookSecret title={words.rotatedTitle} format={format} secret={secret} onDone={close}>
                  <Hint>
                    {formerUntil === null ? words.formerEnded : words.formerUntil}{' '}
                    {formerUntil !== null && <Time at={formerUntil} />}
                  </Hint>
                </NewWebhookSecret>
              )}
              onDone={close}
            />
          ),
        },
        switched,
        remove,
      ]}
    />
  )
}
