import { Box, Code } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** Lines to be copied, for example a command. @param what their name, for screen readers */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <Box pos="relative">
      <Code block pr={40} tabIndex={0} role="region" aria-label={what}>
        {text}
      </Code>
      {/* With a ground of its own: a long line scrolls behind it. */}
      <Box pos="absolute" top={6} right={6} bg="var(--mantine-color-default)" bdrs="sm">
        <CopyButton text={text} what={what} />
      </Box>
    </Box>
  )
}
