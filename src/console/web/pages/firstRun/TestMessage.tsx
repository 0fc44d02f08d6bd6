import { Anchor, Group, Loader, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { answerOf } from '../../api/client.ts'
import { newIdempotencyKey } from '../../api/idempotencyKey.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { labelled } from '../../components/labelled.ts'
import { texts } from '../../texts/texts.ts'
import type { Setup } from './queries.ts'

const words = texts.firstRun.message
/** A number reserved for fiction, which the sandbox takes. */
export const sandboxPhone = '+15550150100'

/** Sends an approved template with its examples to one number, without a program. */
export function TestMessage({ setup: { firstTest, sandboxAvailable, hasDelivered } }: { setup: Setup }) {
  const { workspaceId, routes } = useWorkspaceRoutes()
  // A second click sends nothing twice; another number is another message.
  const [key] = useState(newIdempotencyKey)
  const form = useForm({
    initial: { phone: sandboxAvailable ? sandboxPhone : '' },
    async send({ phone }) {
      if (firstTest === null) return null
      const { templateId, phoneNumberId, values } = firstTest
      const test = { phone, phoneNumberId, values, idempotencyKey: `console-${key}-${phone}` }
      return answerOf(routes.templates({ templateId }).test.post(test))
    },
  })
  const { data: sent } = form.sent
  if (firstTest === null) return <Hint>{words.notApproved}</Hint>
  const actions = (button: ReactNode) => (
    <Group gap="sm">
      {button}
      {sent && !hasDelivered && <Loader size="xs" aria-hidden />}
      {sent && (
        <Text size="sm" c="dimmed" role="status">
          {!hasDelivered && words.waiting}{' '}
          <Anchor component={Link} href={`/w/${workspaceId}/messages/${sent.messageId}`} size="sm">
            {words.show}
          </Anchor>
        </Text>
      )}
    </Group>
  )
  return (
    <Form form={form} submit={words.send} actions={actions} isReady={form.fields.phone.trim() !== ''} gap="sm">
      <TextInput
        {...labelled(words, 'phone')}
        type="tel"
        autoComplete="tel"
        maw={320}
        required
        {...form.text('phone')}
      />
    </Form>
  )
}
