import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { Hint } from '../../components/Hint.tsx'
import { useLoss } from '../../components/losses.ts'
import { Warning } from '../../components/Warning.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.apiKeys

/** A new key with its secret, shown only once, and a command that works as it is. */
export function KeySecret({ apiKey, apiSecret, onDone }: { apiKey: string; apiSecret: string; onDone: () => void }) {
  useLoss()
  const command = [
    `curl -s ${location.origin}/api/v1/public/templates \\`,
    `  -H 'apiKey: ${apiKey}' \\`,
    `  -H 'apiSecret: ${apiSecret}'`,
  ].join('\n')
  return (
    <Stack>
      <Warning role="status" title={words.created}>
        {words.createdHint}
      </Warning>
      <div>
        <Hint>{words.apiKey}</Hint>
        <CopyId id={apiKey} what={words.apiKey} />
      </div>
      <div>
        <Hint>{words.apiSecret}</Hint>
        <CopyId id={apiSecret} what={words.apiSecret} />
      </div>
      <div>
        <Text size="sm" fw={600}>
          {words.curl}
        </Text>
        <Text size="sm" c="dimmed" mb={4}>
          {words.curlHint}
        </Text>
        <CodeBlock text={command} what={words.curlCommand} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.copied}</Button>
      </Group>
    </Stack>
  )
}
