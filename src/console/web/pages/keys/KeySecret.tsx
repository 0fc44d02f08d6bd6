import { Text } from '@mantine/core'
import type { KeyScope } from '../../../../base/keyScopes.ts'
import type { OperationId, partnerOperations } from '../../../../http/calls.ts'
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.apiKeys

/** The calls that only read, of one scope. */
type ReadOf<Scope extends KeyScope> = Extract<
  (typeof partnerOperations)[OperationId],
  { scope: Scope }
>['call'] extends infer Call
  ? Call extends `GET ${infer Path}`
    ? Path
    : never
  : never

/** What a key can read at once, without an id; the first that its scopes allow is tried. */
const reads = {
  ...{ 'messages:send': '/lines', 'templates:read': '/templates', 'messages:read': '/messages' },
  ...{ 'events:read': '/events', inbound: '/inbound', webhooks: '/webhooks' },
} as const satisfies { readonly [Scope in KeyScope]?: ReadOf<Scope> }

/** @param scopes null: all that a key usually may @returns undefined where none is allowed */
const firstRead = (scopes: readonly KeyScope[] | null): string | undefined =>
  Object.entries(reads).find(([scope]) => scopes === null || scopes.some(allowed => allowed === scope))?.[1]

/** A new key with its secret, shown only once, and a command that works as it is. */
export function KeySecret({
  apiKey,
  apiSecret,
  graphToken,
  scopes,
  onDone,
}: {
  apiKey: string
  apiSecret: string
  graphToken?: string
  scopes: readonly KeyScope[] | null
  onDone: () => void
}) {
  const path = firstRead(scopes)
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
      {path && (
        <div>
          <Text size="sm" fw={600}>
            {words.curl}
          </Text>
          <Text size="sm" c="dimmed" mb={4}>
            {words.curlHint}
          </Text>
          <CodeBlock text={curlOf({ path, key: { apiKey, apiSecret } })} what={words.curlCommand} />
        </div>
      )}
    </ShownOnce>
  )
}
