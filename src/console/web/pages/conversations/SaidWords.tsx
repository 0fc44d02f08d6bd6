import { Anchor, Text } from '@mantine/core'
import { Found } from '../../components/Found.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Linked } from '../../components/Linked.tsx'
import { texts } from '../../texts/texts.ts'
import type { Said } from './queries.ts'
import { SentFile } from './SentFile.tsx'

const words = texts.conversations

/** What somebody wrote; what is no text begins with what it is. */
export function SaidWords({ said }: { said: Said }) {
  const { type, kind, inGroup, state, text, facts, link, files } = said
  const isWhole = state === 'whole'
  const isReaction = type === 'reaction' && isWhole
  // A document is known by its name.
  const isSeen = files[0] !== undefined && (files[0].shownAs !== null || type === 'document')
  const isNamed = type !== 'text' && !isSeen && !isReaction
  return (
    <>
      {inGroup && <Hint>{words.inGroup}</Hint>}
      {isNamed && <Hint>{type === 'other' && text === null && isWhole ? words.other(kind) : words.types[type]}</Hint>}
      {files.map(file => (
        <SentFile key={file.id} file={file} type={type} />
      ))}
      {isReaction ? (
        <Hint>{text === null ? words.unreacted : words.reacted(text)}</Hint>
      ) : (
        text !== null && (
          <div className="phone-words" dir="auto">
            <Linked text={text} />
          </div>
        )
      )}
      {facts.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fact is its place
        <Text key={at} size="sm">
          {name !== null && (
            <strong>
              <bdi>
                <Found text={name} />
              </bdi>{' '}
            </strong>
          )}
          <bdi>
            <Found text={value} />
          </bdi>
        </Text>
      ))}
      {link !== null && (
        <Anchor href={link} target="_blank" rel="noreferrer" size="sm" display="inline-block">
          {type === 'location' ? words.showPlace : words.openFile}
        </Anchor>
      )}
      {!isWhole && <Hint>{state === 'cut' ? words.cut : words.notKept}</Hint>}
    </>
  )
}
