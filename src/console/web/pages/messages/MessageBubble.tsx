import { Text } from '@mantine/core'
import { gotThrough } from '../../../../message/statuses.ts'
import { noSendValues } from '../../../../templates/authoring/values.ts'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { texts } from '../../texts/texts.ts'
import { SaidWords } from '../conversations/SaidWords.tsx'
import { PhonePreview } from '../templates/PhonePreview.tsx'
import type { MessageDetails } from './queries.ts'

const words = texts.messages

/** What the recipient of a message sees, as long as it is stored. */
export function MessageBubble({ details: { bubble, said, content, message, template } }: { details: MessageDetails }) {
  const title = gotThrough(message.status) ? words.bubble : words.bubbleNotSeen
  if (said) {
    return (
      <Section title={title}>
        <SaidWords said={said} />
      </Section>
    )
  }
  if (!bubble) {
    return (
      <Section title={title}>
        <Hint>{content === null ? words.requestDropped : words.bubbleUnknown}</Hint>
      </Section>
    )
  }
  return (
    <Section title={title} hint={template && words.bubbleOfTemplate}>
      <SentBubble bubble={bubble} />
    </Section>
  )
}

/** A message as its recipient sees it. */
export function SentBubble({ bubble }: { bubble: NonNullable<MessageDetails['bubble']> }) {
  const { draft, code, files, choices } = bubble
  const values = code === null ? noSendValues : { ...noSendValues, variables: { '1': code } }
  return (
    <>
      <PhonePreview draft={draft} values={values} sent={files} />
      {choices.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="md" mb={4}>
            {words.choices}
          </Text>
          <ul className="plain-list ruled-list">
            {choices.map(({ title, description }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
              <li key={at}>
                <Text size="sm" dir="auto">
                  {title}
                </Text>
                {description !== null && (
                  <Hint>
                    <bdi>{description}</bdi>
                  </Hint>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
