import { Text } from '@mantine/core'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.apiKeys

/** A new key with its secret, shown only once, and a command that works as it is. */
export function KeySecret({ apiKey, apiSecret, onDone }: { apiKey: string; apiSecret: string; onDone: () => void }) {
  const command = [
    `curl -s ${location.origin}/api/v1/public/templates \\`,
    `  -H 'apiKey: ${apiKey}' \\`,
    `  -H 'apiSecret: ${apiSecret}'`,
  ].join('\n')
  return (
    <ShownOnce
      title={words.created}
      hint={words.createdHint}
      values={[
        [words.apiKey, apiKey],
        [words.apiSecret, apiSecret],
      ]}
      done={words.copied}
      onDone={onDone}
    >
      <div>
        <Text size="sm" fw={600}>
          {words.curl}
        </Text>
        <Text size="sm" c="dimmed" mb={4}>
          {words.curlHint}
        </Text>
        <CodeBlock text={command} what={words.curlCommand} />
      </div>
    </ShownOnce>
  )
}
