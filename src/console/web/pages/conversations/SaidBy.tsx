import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconKey, IconRobot, IconSend } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Sender } from '../../../messages/senders.ts'
import { useWorkspace } from '../../app/session.tsx'
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
    if (sender.kind === 'campaign') return `${texts.shell.titles.campaigns} · ${name}`
    return isTemplate ? words.automatic(name) : words.byKey(name)
  }
}

/** A template of a key is sent by a program; what a key writes freely may be the answer of a person elsewhere. */
const signs = { key: IconKey, campaign: IconSend, member: null } as const

/** @returns whether nobody wrote it to this person: a template of a key, and what a campaign sends */
export const isAutomatic = (by: Sender | null, isTemplate: boolean): boolean =>
  by?.kind === 'campaign' || (by?.kind === 'key' && isTemplate)

/**
 * Who of the business sent something: a person by name, a template of a program by a robot, what a key writes freely by
 * a key, each with its label, a campaign by its sign and a link.
 * @param props.isShort where there is little room: of a name the first part, of what is automatic the sign alone
 */
export function SaidBy(props: { by: Sender | null; isTemplate: boolean; isShort?: boolean }) {
  const { by, isTemplate, isShort = false } = props
  const { id: workspaceId } = useWorkspace()
  const nameOf = useSenderName()
  const inFull = useSaidBy()(by, isTemplate)
  const name = by === null ? words.inApp : nameOf(by)
  const isProgram = by?.kind === 'key' && isTemplate
  const Sign = isProgram ? IconRobot : by && signs[by.kind]
  const isPerson = by?.kind === 'member' && by.name !== null
  return (
    <bdi className="said-by" title={inFull}>
      {Sign && <Sign size={14} stroke={1.6} aria-hidden />}
      {isShort && Sign ? (
        <VisuallyHidden>{name}:</VisuallyHidden>
      ) : isShort ? (
        `${isPerson ? name.split(' ')[0] : name}:`
      ) : by?.kind === 'campaign' ? (
        <Anchor component={Link} href={`/w/${workspaceId}/campaigns/${by.id}`} inherit c="inherit" td="underline">
          {name}
        </Anchor>
      ) : isProgram ? (
        inFull
      ) : (
        name
      )}
    </bdi>
  )
}
