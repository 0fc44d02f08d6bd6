import { Hint } from '../../components/Hint.tsx'
import { Time, useNow } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { ConversationPage } from './queries.ts'

const words = texts.conversations

type Line = ConversationPage['lines'][number]

/** @returns whether more than templates may be sent from this line, or may be tried */
export const isWindowOpen = (line: Line | null, now: number) =>
  line?.isWindowKnown === false || Date.parse(line?.windowEndsAt ?? '') > now

/** Until when everything may be sent from this line, or since when only templates. @param props.isShort in few words */
export function Window({ line, isShort = false }: { line: Line; isShort?: boolean }) {
  const { windowEndsAt: endsAt, isWindowKnown } = line
  const now = useNow()
  if (endsAt === null) return <Hint>{isWindowKnown ? words.windowNotOpened : words.windowUnknown}</Hint>
  const isOpen = Date.parse(endsAt) > now
  if (isOpen && isShort)
    return (
      <>
        {words.windowShort} <Time at={endsAt} precision="left" />
      </>
    )
  return (
    <Hint>
      {isOpen ? words.windowOpen : words.windowClosed} <Time at={endsAt} precision={isOpen ? 'left' : 'relative'} />
    </Hint>
  )
}
