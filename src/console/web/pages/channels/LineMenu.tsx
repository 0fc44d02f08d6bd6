import { TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { hourMs, secondMs } from '../../../../base/durations.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { type Action, ActionMenu } from '../../components/ActionMenu.tsx'
import { copyText } from '../../components/clipboard.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled, wholeNumberError } from '../../components/fields.ts'
import { wholeOf } from '../../components/numbers.ts'
import { line as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { clientsPath } from '../clients/ClientsLink.tsx'
import { listPath } from '../templates/queries.ts'
import type { ListedLine } from './queries.ts'

const perSecondBounds = { min: 0, max: 100_000 }
const pairSecondsBounds = { min: 0, max: hourMs / secondMs }
interface Change {
  readonly active?: boolean
  readonly isDefault?: boolean
  readonly perSecond?: number
  readonly pairSeconds?: number
  readonly directSend?: boolean
  readonly label?: string
}

/** Where a line leads to, and what an admin may do with it. Each change asks first, or shows what failed. */
export function LineMenu({ line }: { line: ListedLine }) {
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const { can } = useWorkspace()
  const [, navigate] = useLocation()
  const { id: lineId, number, active, isDefault, directSend } = line
  const called = lineName(line)
  const apply = (next: Change) => change(routes.lines({ lineId }).patch(next))
  const harmless = (label: string, text: string, next: Change): Action => ({
    label,
    title: called,
    dialog: { text, confirmLabel: label, onConfirm: () => apply(next), isHarmless: true },
  })
  const rate: Action = {
    label: words.rate,
    title: `${words.rate}: ${called}`,
    dialog: close => <RateForm line={line} onChange={apply} onDone={close} />,
  }
  const name: Action = {
    label: words.name,
    title: `${words.name}: ${called}`,
    dialog: close => <NameForm line={line} onChange={apply} onDone={close} />,
  }
  const deactivate: Action = {
    label: words.deactivate,
    title: `${words.deactivate}: ${called}`,
    dialog: {
      text: words.deactivateQuestion(called),
      confirmLabel: words.deactivate,
      onConfirm: () => apply({ active: false }),
    },
  }
  const remove: Action = {
    label: words.remove,
    title: words.removeTitle(called),
    isGrave: true,
    dialog: {
      text: words.removeQuestion,
      confirmLabel: words.remove,
      onConfirm: () => change(routes.lines({ lineId }).delete()),
      typed: number,
    },
  }
  const choose = isDefault
    ? harmless(words.noDefault, words.noDefaultNext, { isDefault: false })
    : harmless(words.makeDefault, texts.channels.unnamed(called), { isDefault: true })
  const direct = directSend
    ? harmless(words.noDirectSend, words.noDirectSendNext, { directSend: false })
    : harmless(words.directSend, words.directSendNext, { directSend: true })
  const activate = harmless(words.activate, texts.channels.unnamed(called), { active: true })
  const { templates, clients } = texts.channels
  const ways: Action[] = [
    { label: templates, onChoose: () => navigate(listPath(workspaceId, lineId)) },
    { label: clients, onChoose: () => navigate(clientsPath(workspaceId, lineId)) },
    { label: words.copyId, onChoose: () => void copyText(lineId) },
  ]
  const [first, ...others] = active
    ? [choose, name, rate, direct, deactivate, remove]
    : [name, rate, direct, activate, remove]
  return <ActionMenu of={called} actions={can('admin') ? [...ways, { ...first, isApart: true }, ...others] : ways} />
}

/** Without words, the line has its number alone. */
function NameForm(props: { line: ListedLine; onChange: (next: Change) => Promise<unknown>; onDone: () => void }) {
  const { line, onChange, onDone } = props
  const form = useForm({
    initial: { label: line.label ?? '' },
    send: ({ label }) => onChange({ label }),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={texts.common.save} onCancel={onDone}>
      <TextInput
        {...labelled(words, 'label')}
        data-autofocus
        autoComplete="off"
        maxLength={nameLengthMax}
        {...form.text('label')}
      />
    </Form>
  )
}

function RateForm(props: { line: ListedLine; onChange: (next: Change) => Promise<unknown>; onDone: () => void }) {
  const { line, onChange, onDone } = props
  const form = useForm({
    initial: { perSecond: String(line.perSecond), pairSeconds: String(line.pairSeconds) },
    rules: {
      perSecond: written => wholeNumberError(written, perSecondBounds),
      pairSeconds: written => wholeNumberError(written, pairSecondsBounds),
    },
    send: ({ perSecond, pairSeconds }) =>
      onChange({
        perSecond: wholeOf(perSecond, perSecondBounds) ?? line.perSecond,
        pairSeconds: wholeOf(pairSeconds, pairSecondsBounds) ?? line.pairSeconds,
      }),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={texts.common.save} onCancel={onDone}>
      <TextInput {...labelled(words, 'perSecond')} inputMode="numeric" required {...form.text('perSecond')} />
      <TextInput {...labelled(words, 'pairSeconds')} inputMode="numeric" required {...form.text('pairSeconds')} />
    </Form>
  )
}
