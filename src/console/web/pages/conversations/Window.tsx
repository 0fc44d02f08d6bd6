import { Badge } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Hint } from '../../components/Hint.tsx'
import { Time, useNow } from '../../components/Time.tsx'
import { windowLeft } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import type { ConversationPage } from './queries.ts'

const words = texts.conversations

type Line = ConversationPage['lines'][number]

/** Who means to answer freely does so before it ends. */
const soonMs = 2 * 60 * 60_000

/** @returns whether more than templates may be sent from this line, or may be tried */
export const isWindowOpen = (line: Line | null, now: number) =>
  line?.isWindowKnown === false || Date.parse(line?.windowEndsAt ?? '') > now

/**
 * Until when everything may be sent from this line, or since when only templates.
 * @param props.isShort in few words; `isTight`: in the time alone
 */
export function Window({
  line,
  isShort = false,
  isTight = false,
}: {
  line: Line
  isShort?: boolean
  isTight?: boolean
}) {
  const { windowEndsAt: endsAt, isWindowKnown } = line
  const now = useNow()
  if (endsAt === null) return <Hint>{isWindowKnown ? words.windowNotOpened : words.windowUnknown}</Hint>
  const isOpen = Date.parse(endsAt) > now
  if (isOpen && isShort)
    return (
      <Badge
        {...{ size: 'sm', tt: 'none', fw: 600, leftSection: <IconClock size={12} />, className: 'window-left' }}
        data-soon={Date.parse(endsAt) - now < soonMs || undefined}
      >
        {isTight ? <Time at={endsAt} precision="left" /> : <LeftToReply endsAt={endsAt} now={now} />}
      </Badge>
    )
  return (
    <Hint>
      {isOpen ? (
        <LeftToReply endsAt={endsAt} now={now} />
      ) : (
        <>
          {words.windowClosed} <Time at={endsAt} precision="relative" />
        </>
      )}
    </Hint>
  )
}

/** How long one may write freely, in few words. */
export const LeftToReply = ({ endsAt, now }: { endsAt: string; now: number }) => (
  <Time at={endsAt}>{words.windowShort(windowLeft(new Date(endsAt), new Date(now)))}</Time>
)
