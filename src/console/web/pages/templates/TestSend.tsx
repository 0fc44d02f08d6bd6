import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../api/client.ts'
import { newIdempotencyKey } from '../../api/idempotencyKey.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { linesQuery, type ShownTemplate } from './queries.ts'

const words = texts.templates

/** Sends the template to one number, in the same way as the API does. */
export function TestSend({
  template,
  phoneNumberId,
  fields,
}: {
  template: ShownTemplate
  phoneNumberId: string
  fields: object
}) {
  const { id: workspaceId } = useWorkspace()
  const [phone, setPhone] = useState('')
  const lines = useQuery(linesQuery(workspaceId))
  // One key for one content: a second click sends nothing twice, a changed value is a new message.
  const [keys] = useState(() => new Map<string, string>())
  const keyOf = (content: string) => {
    const known = keys.get(content) ?? newIdempotencyKey()
    keys.set(content, known)
    return known
  }
  const send = useMutation({
    mutationFn: () => {
      const idempotencyKey = `console-${keyOf(JSON.stringify({ phone, fields }))}`
      const body = { phoneNumberId, phone, idempotencyKey, values: fields }
      return answerOf(api.workspaces({ workspaceId }).templates({ templateId: template.id }).test.post(body))
    },
  })
  const isActive = lines.data?.phoneNumbers.find(line => line.id === phoneNumberId)?.active ?? true
  const why = template.status !== 'APPROVED' ? words.testNeedsApproval : isActive ? null : words.testNeedsLine
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.testHint}
        </Text>
        <TextInput
          label={words.testPhone}
          description={words.testPhoneHint}
          required
          type="tel"
          autoComplete="off"
          value={phone}
          onChange={event => setPhone(event.currentTarget.value)}
        />
        {why && (
          <Text size="sm" role="status">
            {why}
          </Text>
        )}
        {send.error && <ErrorView error={send.error} />}
        {send.data && (
          <Alert color="teal" role="status">
            {send.data.isReplay ? words.testReplayed : words.testSent(send.data.status)}{' '}
            <Anchor component={Link} href={`/w/${workspaceId}/messages/${send.data.messageId}`}>
              {words.showMessage}
            </Anchor>
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={send.isPending} disabled={why !== null || phone.trim() === ''}>
            {words.sendTest}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
