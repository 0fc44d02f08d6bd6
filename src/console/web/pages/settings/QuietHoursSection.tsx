import { Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type QuietHours, weekdays } from '../../../../message/quietSettings.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Facts } from '../../components/Facts.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { Section } from '../../components/Section.tsx'
import { weekdayName } from '../../components/times.ts'
import { quietHours as words } from '../../texts/en/quietHours.ts'
import { savedBeside, type WorkspaceSettings } from './WorkspaceSection.tsx'

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
  const [saved, setSaved] = useState({
    ...{ isOn: quietHours !== null, from, to, timeZone, isForUtility: categories.includes('UTILITY') },
    /** Their numbers, one behind the other. */
    days: days.join(''),
  })
  const form = useForm({
    initial: saved,
    async send(all) {
      const { isOn, isForUtility, days, ...fields } = all
      await change(
        routes.settings['quiet-hours'].put({
          quietHours: isOn
            ? {
                ...fields,
                days: weekdays.filter(day => days.includes(String(day))),
                categories: isForUtility ? ['MARKETING', 'UTILITY'] : ['MARKETING'],
              }
            : null,
        }),
      )
      setSaved(all)
    },
  })
  const isChanged = JSON.stringify(form.fields) !== JSON.stringify(saved)
  const actions = savedBeside(form.sent.isSuccess && !isChanged)
  const { fields, set } = form
  const toggle = (name: 'isOn' | 'isForUtility') => ({
    checked: fields[name],
    onChange: () => set({ [name]: !fields[name] }),
  })
  return (
    <Form form={form} submit={words.save} isReady={isChanged} actions={actions} maw={480}>
      <Checkbox label={fields.isOn ? words.isOn : `${words.isOn}: ${fields.from} – ${fields.to}`} {...toggle('isOn')} />
      {fields.isOn && (
        <>
          <Group grow>
            <TextInput type="time" label={words.from} {...form.text('from')} />
            <TextInput type="time" label={words.to} {...form.text('to')} />
          </Group>
          <Checkbox.Group
            label={words.days}
            value={[...fields.days]}
            error={form.text('days').error}
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
