import { VisuallyHidden } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import type { Sender } from '../../../messages/senders.ts'
import { texts } from '../../texts/texts.ts'
import { useSenderName } from '../messages/sender.ts'

const words = texts.conversations

/** @returns a function that says in full who of the business sent something. @param sender null: in the app */
export function useSaidBy() {
  const nameOf = useSenderName()
  return (sender: Sender | null, isTemplate: boolean): string => {
    if (sender === null) return words.inApp
    const name = nameOf(sender)
    if (sender.kind === 'member') return name
    return isTemplate ? words.automatic(name) : words.byKey(name)
  }
}

/**
 * Who of the business sent something: a person by name, a program by a robot and the label of its key.
 * @param props.isShort where there is little room: of a name the first part, of a program the robot alone
 */
export function SaidBy(props: { by: Sender | null; isTemplate: boolean; isShort?: boolean }) {
  const { by, isTemplate, isShort = false } = props
  const nameOf = useSenderName()
  const inFull = useSaidBy()(by, isTemplate)
  const name = by === null ? words.inApp : nameOf(by)
  const isProgram = by?.kind === 'key'
  const isPerson = by?.kind === 'member' && by.name !== null
  return (
    <bdi className="said-by" title={inFull}>
      {isProgram && <IconRobot size={14} stroke={1.6} aria-hidden />}
      {isShort && isProgram ? (
        <VisuallyHidden>{name}:</VisuallyHidden>
      ) : isShort ? (
        `${isPerson ? name.split(' ')[0] : name}:`
      ) : (
        name
      )}
    </bdi>
  )
}
