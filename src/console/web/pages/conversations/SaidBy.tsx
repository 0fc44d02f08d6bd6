import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconRobot, IconSend } from '@tabler/icons-react'
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

/**
 * Who of the business sent something: a person by name, a program by a robot and the label of its key, a campaign by
 * its sign and a link.
 * @param props.isShort where there is little room: of a name the first part, of what is automatic the sign alone
 */
export function SaidBy(props: { by: Sender | null; isTemplate: boolean; isShort?: boolean }) {
  const { by, isTemplate, isShort = false } = props
  const { id: workspaceId } = useWorkspace()
  const nameOf = useSenderName()
  const inFull = useSaidBy()(by, isTemplate)
  const name = by === null ? words.inApp : nameOf(by)
  const Sign = by && { key: IconRobot, campaign: IconSend, member: null }[by.kind]
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
      ) : (
        name
      )}
    </bdi>
  )
}
