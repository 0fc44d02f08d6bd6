import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { type Setup, sandboxPhone } from './queries.ts'

const words = texts.firstRun.key

/** A key with its secret, which is shown only once. */
export interface KeyWithSecret {
  readonly apiKey: string
  readonly apiSecret: string
}

/**
 * Makes a key, and shows the command that sends a message with it.
 * @param apiKey the key that was made here; it is shown until the user has saved it
 */
export function FirstKey(props: {
  setup: Setup
  apiKey: KeyWithSecret | null
  onKey: (key: KeyWithSecret | null) => void
}) {
  const { setup, apiKey: key, onKey } = props
  const { routes, refresh } = useWorkspaceRoutes()
  const create = useMutation({
    async mutationFn() {
      onKey(await answerOf(routes['api-keys'].post({ label: words.label })))
      await refresh()
    },
  })
  if (!key) {
    return (
      <Group>
        <Button
          variant={setup.hasDelivered ? 'filled' : 'default'}
          loading={create.isPending}
          onClick={() => create.mutate()}
        >
          {words.create}
        </Button>
        {create.error && <ErrorView error={create.error} />}
      </Group>
    )
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {words.secretHint} {words.commandHint}
      </Text>
      <CodeBlock text={commandOf(key, setup)} what={words.command} />
      <Group>
        <Button variant="default" onClick={() => onKey(null)}>
          {texts.apiKeys.copied}
        </Button>
      </Group>
    </Stack>
  )
}

function commandOf(key: KeyWithSecret, { firstSend, sandboxAvailable }: Setup): string {
  const text = { type: 'text', content: 'Hello from Waypost.' }
  const { type, ...rest } = firstSend ?? text
  const body = { type, phone: sandboxAvailable ? sandboxPhone : '+…', ...rest }
  return curlOf({ path: '/messages/send', key, body })
}
