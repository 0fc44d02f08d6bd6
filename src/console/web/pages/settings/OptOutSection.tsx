import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { OnOptOut } from '../../../../message/optOut.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Facts } from '../../components/Facts.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { choicesOf, labelled } from '../../components/fields.ts'
import { Section } from '../../components/Section.tsx'
import { optOuts as words } from '../../texts/en/optOuts.ts'
import { savedBeside, type WorkspaceSettings } from './WorkspaceSection.tsx'

type Props = Pick<WorkspaceSettings, 'workspace' | 'usualWords'>

/** Who wants no marketing, by which words, and what becomes of it: admins change it. */
export function OptOutSection(props: Props) {
  const { can } = useWorkspace()
  const { onOptOut, stopWords, startWords, optOutAnswer } = props.workspace
  const usual = props.usualWords
  return (
    <Section title={words.title} hint={words.hint} anchor="opt-outs">
      {can('admin') ? (
        <OptOutForm {...props} />
      ) : (
        <Facts
          facts={[
            [words.onOptOut, words.choices[onOptOut]],
            [words.stopWords, written(stopWords ?? usual.stop)],
            [words.startWords, written(startWords ?? usual.start)],
            [words.answer, optOutAnswer ?? words.noAnswer],
          ]}
        />
      )}
    </Section>
  )
}

/** All of them are seen: a field in which they scroll would hide by which words people opt out. */
const written = (list: readonly string[]) => list.join(', ')

/** @returns the words that are written; null: they are those that everybody has */
function wordsIn(text: string, usual: readonly string[]): string[] | null {
  const list = text.split(/[\n,]/).flatMap(word => word.trim() || [])
  return written(list) === written(usual) ? null : list
}

/** It sends only what was changed in it: the rest may have been changed elsewhere meanwhile. */
function OptOutForm({ workspace: { onOptOut, stopWords, startWords, optOutAnswer }, usualWords: usual }: Props) {
  const { routes, change } = useWorkspaceRoutes()
  const [saved, setSaved] = useState({
    onOptOut: onOptOut as string,
    stopWords: written(stopWords ?? usual.stop),
    startWords: written(startWords ?? usual.start),
    optOutAnswer: optOutAnswer ?? '',
  })
  const form = useForm({
    initial: saved,
    async send(fields) {
      await change(
        routes.settings['opt-outs'].put({
          // The form offers no other.
          ...(fields.onOptOut !== saved.onOptOut && { onOptOut: fields.onOptOut as OnOptOut }),
          ...(fields.stopWords !== saved.stopWords && { stopWords: wordsIn(fields.stopWords, usual.stop) }),
          ...(fields.startWords !== saved.startWords && { startWords: wordsIn(fields.startWords, usual.start) }),
          ...(fields.optOutAnswer !== saved.optOutAnswer && { optOutAnswer: fields.optOutAnswer.trim() || null }),
        }),
      )
      setSaved(fields)
    },
  })
  const isChanged = JSON.stringify(form.fields) !== JSON.stringify(saved)
  const actions = savedBeside(form.sent.isSuccess && !isChanged)
  return (
    <Form form={form} submit={words.save} isReady={isChanged} actions={actions}>
      <NativeSelect {...labelled(words, 'onOptOut')} data={choicesOf(words.choices)} {...form.text('onOptOut')} />
      <Textarea {...labelled(words, 'stopWords')} autosize {...form.text('stopWords')} />
      <Textarea {...labelled(words, 'startWords')} autosize {...form.text('startWords')} />
      <Textarea {...labelled(words, 'answer')} autosize {...form.text('optOutAnswer')} />
    </Form>
  )
}
