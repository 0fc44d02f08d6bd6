import { Box, Code } from '@mantine/core'
import type { CSSProperties } from 'react'
import { CopyButton } from './CopyButton.tsx'

/**
 * Lines to be copied, for example a command.
 * @param props.what their name, for screen readers
 * @param props.isData where they begin tells what they belong to: what goes on of a long one stands further in
 */
export function CodeBlock({ text, what, isData = false }: { text: string; what: string; isData?: boolean }) {
  const isCommand = text.startsWith('curl ') || undefined
  return (
    <Box pos="relative">
      <Code block pr={40} className="code-lines" data-command={isCommand} tabIndex={0} role="region" aria-label={what}>
        {isData
          ? text.split('\n').map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
              <span key={at} style={{ '--in': `${line.search(/\S|$/) + 2}ch` } as CSSProperties}>
                {line}
              </span>
            ))
          : text}
      </Code>
      {/* So far from the edge that a finger has its room. What scrolls goes on below it. */}
      <Box pos="absolute" top={4} right={9} bg="var(--mantine-color-default-hover)">
        <CopyButton text={text} what={what} />
      </Box>
    </Box>
  )
}

interface ApiCall {
  readonly path: string
  /** Null: the command takes it from the environment. */
  readonly key: { readonly apiKey: string; readonly apiSecret: string } | null
  /** What is posted, as JSON; without it, the path is read. */
  readonly body?: object
}

/** A command that calls the API as it is pasted into a shell. */
export function curlOf({ path, key, body }: ApiCall): string {
  const { apiKey, apiSecret } = key ?? { apiKey: '$WAYPOST_API_KEY', apiSecret: '$WAYPOST_API_SECRET' }
  return [
    `curl -s ${location.origin}/api/v1/public${path}`,
    `  -H "apiKey: ${apiKey}"`,
    `  -H "apiSecret: ${apiSecret}"`,
    // In single quotes, only the quote itself is special to a shell.
    ...(body
      ? [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]
      : []),
  ].join(' \\\n')
}
