import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { labelled } from '../../components/labelled.ts'
import { texts } from '../../texts/texts.ts'
import type { Setup } from './queries.ts'

const words = texts.firstRun.message
/** A number reserved for fiction, which the sandbox takes. */
const sandboxPhone = '+15550150100'

/** A key with its secret, which is shown only once. */
export interface NewKey {
  readonly apiKey: string
  readonly apiSecret: string
}

/**
 * Makes a key, and shows the command that sends a message with it.
 * @param apiKey the key that was made here; it is shown until the user has saved it, also after the delivery
 */
export function FirstMessage(props: { setup: Setup; apiKey: NewKey | null; onKey: (key: NewKey | null) => void }) {
  const { setup, apiKey: key, onKey } = props
  const { routes, refresh } = useWorkspaceRoutes()
  const [phone, setPhone] = useState(setup.sandboxAvailable ? sandboxPhone : '')
  const create = useMutation({
    async mutationFn() {
      onKey(await answerOf(routes['api-keys'].post({ label: words.keyLabel })))
      await refresh()
    },
  })
  return (
    <Stack gap="sm">
      {!key && setup.hasKey && <Text size="sm">{words.hasKey}</Text>}
      {!key && (
        <Group>
          <Button loading={create.isPending} onClick={() => create.mutate()}>
            {words.create}
          </Button>
        </Group>
      )}
      {create.error && <ErrorView error={create.error} />}
      {key && (
        <>
          <TextInput
            {...labelled(words, 'phone')}
            type="tel"
            maw={320}
            value={phone}
            onChange={event => setPhone(event.currentTarget.value)}
          />
          {setup.firstSend === null && <Text size="sm">{words.notApproved}</Text>}
          <Text size="sm">
            {words.commandHint} {words.secretHint}
          </Text>
          <CodeBlock text={commandOf(key, setup, phone)} what={words.command} />
          <Group>
            <Button variant="default" onClick={() => onKey(null)}>
              {texts.apiKeys.copied}
            </Button>
          </Group>
        </>
      )}
      {setup.hasKey && !setup.hasDelivered && (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed" role="status">
            {words.waiting}
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function commandOf(key: NewKey, { firstSend }: Setup, phone: string): string {
  const text = { type: 'text', content: 'Hello from Waypost.' }
  const { type, ...rest } = firstSend ?? text
  const body = JSON.stringify({ type, phone: phone.trim() || '+…', ...rest })
  return [
    `curl -s ${location.origin}/api/v1/public/messages/send \\`,
    `  -H 'apiKey: ${key.apiKey}' \\`,
    `  -H 'apiSecret: ${key.apiSecret}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    // In single quotes, only the quote itself is special to a shell.
    `  -d '${body.replaceAll("'", "'\\''")}'`,
  ].join('\n')
}
