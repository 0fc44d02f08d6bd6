import { Code } from '@mantine/core'

/** A sentence with what is typed or copied as it is. @param props.code finds that, in parentheses: it is kept */
export const WithCode = ({ text, code }: { text: string; code: RegExp }) =>
  text.split(code).map((part, at) =>
    at % 2 === 1 ? (
      <Code key={part} px={2} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </Code>
    ) : (
      part
    ),
  )
