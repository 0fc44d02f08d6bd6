import { Text } from '@mantine/core'
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.apiKeys

/** A new key with its secret, shown only once, and a command that works as it is. */
export function KeySecret({
  apiKey,
  apiSecret,
  graphToken,
  onDone,
}: {
  apiKey: string
  apiSecret: string
  graphToken?: string
  onDone: () => void
}) {
  return (
    <ShownOnce
      title={words.created}
      hint={words.createdHint}
      values={[
        ...(graphToken === undefined ? [] : [[words.graphToken, graphToken] as const]),
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
        <CodeBlock text={curlOf({ path: '/templates', key: { apiKey, apiSecret } })} what={words.curlCommand} />
      </div>
    </ShownOnce>
  )
}
