import { Checkbox, Group, TextInput } from '@mantine/core'
import { type QuietHours, weekdays } from '../../../../message/quietSettings.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Facts } from '../../components/Facts.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { Section } from '../../components/Section.tsx'
import { weekdayName } from '../../components/times.ts'
import { quietHours as words } from '../../texts/en/quietHours.ts'
import { texts } from '../../texts/texts.ts'
import type { WorkspaceSettings } from './WorkspaceSection.tsx'

interface Props {
  readonly quietHours: WorkspaceSettings['workspace']['quietHours']
}

/** When nobody is written to first: admins change it. */
export function QuietHoursSection({ quietHours }: Props) {
  const { can } = useWorkspace()
  return (
    <Section title={words.title} hint={words.hint} anchor="quiet-hours">
      {can('admin') ? (
        <QuietHoursForm quietHours={quietHours} />
      ) : (
        <Facts facts={[[words.title, quietHours === null ? words.none : `${quietHours.from} – ${quietHours.to}`]]} />
      )}
    </Section>
  )
}

const usual: QuietHours = {
  ...{ from: '20:00', to: '08:00', days: weekdays, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  categories: ['MARKETING'],
}

function QuietHoursForm({ quietHours }: Props) {
  const { routes, change } = useWorkspaceRoutes()
  const { from, to, days, timeZone, categories } = quietHours ?? usual
  const form = useForm({
    initial: {
      ...{ isOn: quietHours !== null, from, to, timeZone, isForUtility: categories.includes('UTILITY') },
      /** Their numbers, one behind the other. */
      days: days.join(''),
    },
    send: ({ isOn, isForUtility, days, ...fields }) =>
      change(
        routes.settings['quiet-hours'].put({
          quietHours: isOn
            ? {
                ...fields,
                days: weekdays.filter(day => days.includes(String(day))),
                categories: isForUtility ? ['MARKETING', 'UTILITY'] : ['MARKETING'],
              }
            : null,
        }),
      ),
  })
  const { fields, set } = form
  const toggle = (name: 'isOn' | 'isForUtility') => ({
    checked: fields[name],
    onChange: () => set({ [name]: !fields[name] }),
  })
  return (
    <Form form={form} submit={texts.common.save} maw={480}>
      <Checkbox label={words.isOn} {...toggle('isOn')} />
      {fields.isOn && (
        <>
          <Group grow>
            <TextInput type="time" label={words.from} {...form.text('from')} />
            <TextInput type="time" label={words.to} {...form.text('to')} />
          </Group>
          <Checkbox.Group
            label={words.days}
            value={[...fields.days]}
            onChange={chosen => set({ days: chosen.join('') })}
          >
            <Group mt="xs">
              {weekdays.map(day => (
                <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput {...labelled(words, 'timeZone')} {...form.text('timeZone')} />
          <Checkbox label={words.isForUtility} {...toggle('isForUtility')} />
        </>
      )}
    </Form>
  )
}
