import { Text } from '@mantine/core'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import type { MessageDetails } from './queries.ts'

const words = texts.messages

/** Why a message failed, what helps, and the platform's own words. */
export const FailureWords = (props: { failure: NonNullable<MessageDetails['failure']> }) => {
  const { code, reason, explanation } = props.failure
  if (!explanation) {
    return (
      <Text size="sm" className="breakable">
        {reason}
      </Text>
    )
  }
  return (
    <>
      <Text size="sm">{translated(explanation.meaning)}</Text>
      <Text size="sm" my={6}>
        <strong>{words.remedy}:</strong> {translated(explanation.remedy)}
      </Text>
      <Text size="xs" c="dimmed" className="breakable">
        {code === null ? reason : `${words.failureCode(code)}: ${reason.replace(`${code}: `, '')}`}
      </Text>
    </>
  )
}
