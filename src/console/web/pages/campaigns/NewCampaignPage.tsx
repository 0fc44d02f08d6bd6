import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { nameLengthMax } from '../../../../base/names.ts'
import type { CsvItem } from '../../../../batches/csvItems.ts'
import { type CsvMapping, proposeMapping } from '../../../../batches/csvMapping.ts'
import type { CsvTable } from '../../../../batches/csvTable.ts'
import { noSendValues, type SendValues, sendFields } from '../../../../templates/authoring/values.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { tile } from '../../components/tile.ts'
import { useContentKeys } from '../../components/useContentKeys.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'
import { PhonePreview } from '../templates/PhonePreview.tsx'
import { type TemplateDetail, useTemplate, useTemplateLines, useTemplates } from '../templates/queries.ts'
import { TestSend } from '../templates/TestSend.tsx'
import { isFilled } from '../templates/valueFields.ts'
import { columnValues, itemsIn, Mapping } from './Mapping.tsx'
import { People } from './People.tsx'
import { keepCampaign } from './people.ts'

/** So many real people are shown before anything is sent. */
const previewed = 3
const marketing = 'MARKETING'

/** Makes a campaign: its template, its people, what they will see. It ends as a draft, which has a page of its own. */
export function NewCampaignPage() {
  const { workspaceId, refresh } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const [table, setTable] = useState<CsvTable | null>(null)
  const [given, setMapping] = useState<CsvMapping | null>(null)
  const [kept, setKept] = useState<number | null>(null)
  const keyOf = useContentKeys()
  const form = useForm({
    initial: { name: '', lineId: '', templateId: '', values: '' },
    draftWithout: [],
    send: ({ name }): Promise<string> => keep(name.trim()),
    onSuccess(id) {
      void refresh('campaigns')
      navigate(`/w/${workspaceId}/campaigns/${id}`)
    },
  })
  const { fields } = form
  const lines = (useTemplateLines().data?.phoneNumbers ?? []).filter(({ active }) => active)
  const lineId = fields.lineId || (lines.find(({ isDefault }) => isDefault) ?? lines[0])?.id || ''
  const { data: detail } = useTemplate(fields.templateId || null)
  const values = valuesIn(fields.values)
  const mapping =
    detail &&
    table &&
    (given ??
      proposeMapping(
        table.header,
        columnValues(detail).map(({ key }) => key),
      ))
  const shared = detail && sendFields(detail.template.draft, values)
  const made = mapping && itemsIn(table, mapping, detail, shared?.templateVariables ?? {})
  const ready = detail &&
    mapping &&
    made &&
    made.items.length > 0 &&
    isWhole(detail, values, mapping) && {
      items: made.items,
      defaults: {
        ...{ ...shared, templateVariables: undefined, type: 'template', phoneNumberId: lineId },
        ...{ templateName: detail.template.name, templateLanguage: detail.template.language },
      },
    }
  async function keep(name: string): Promise<string> {
    if (!ready) throw new Error('the button needs all of it')
    const made = { name, defaults: ready.defaults, items: ready.items }
    return keepCampaign(workspaceId, { ...made, idempotencyKey: `console-${keyOf(JSON.stringify(made))}` }, setKept)
  }
  return (
    <>
      <PageHeader title={words.new} back={{ to: `/w/${workspaceId}/campaigns`, label: texts.shell.titles.campaigns }} />
      <Stack>
        <Section title={words.template}>
          <div className="tiles" style={{ ...tile('20rem'), marginBottom: 'var(--mantine-spacing-xs)' }}>
            {lines.length > 1 && (
              <NativeSelect
                label={words.line}
                value={lineId}
                data={lines.map(({ id, number, label }) => ({ value: id, label: label ?? number ?? id }))}
                onChange={event => form.set({ lineId: event.currentTarget.value, templateId: '' })}
              />
            )}
            {lineId !== '' && (
              <TemplateChoice
                lineId={lineId}
                value={fields.templateId}
                onChange={templateId => {
                  form.set({ templateId, values: '' })
                  setMapping(null)
                }}
              />
            )}
          </div>
          {detail?.template.category === marketing && <Hint>{words.isMarketing}</Hint>}
        </Section>
        {detail && (
          <People
            table={table}
            onTable={next => {
              setTable(next)
              setMapping(null)
            }}
          />
        )}
        {detail && table && mapping && made && (
          <Mapping
            {...{ table, mapping, detail, values, made }}
            onMapping={setMapping}
            onValues={next => form.set({ values: JSON.stringify(next) })}
          />
        )}
        {ready && <Preview detail={detail} lineId={lineId} values={values} items={ready.items} />}
        {detail && (
          <Form form={form} submit={words.keep} isReady={Boolean(ready)}>
            <TextInput label={words.name} maw={480} maxLength={nameLengthMax} {...form.text('name')} />
            {made && !ready && <Hint>{words.missing}</Hint>}
            {form.sent.isPending && ready && <Hint>{words.keeping(whole(kept ?? 0), whole(ready.items.length))}</Hint>}
          </Form>
        )}
      </Stack>
    </>
  )
}

function TemplateChoice(props: { lineId: string; value: string; onChange: (templateId: string) => void }) {
  const { lineId, value, onChange } = props
  const { data } = useTemplates(lineId, { status: 'APPROVED' })
  const templates = data?.templates ?? []
  return (
    <NativeSelect
      label={words.template}
      value={value}
      data={[
        { value: '', label: data && templates.length === 0 ? words.noTemplates : words.choose },
        ...templates.map(({ id, name, language, category }) => ({
          value: id,
          label: `${name} · ${language}${category === marketing ? ` · ${words.marketing}` : ''}`,
        })),
      ]}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Preview(props: { detail: TemplateDetail; lineId: string; values: SendValues; items: readonly CsvItem[] }) {
  const { detail, lineId, values, items } = props
  const { template } = detail
  const [isTesting, setTesting] = useState(false)
  const shown = items.slice(0, previewed).map(({ row, item }) => ({
    ...{ row, person: String(item.phone ?? item.contactId ?? item.userId) },
    values: { ...values, variables: { ...values.variables, ...(item.templateVariables as SendValues['variables']) } },
  }))
  const [first] = shown
  return (
    <Section
      title={words.preview}
      actions={
        <Button variant="default" onClick={() => setTesting(true)}>
          {words.test}
        </Button>
      }
    >
      <div className="tiles" style={tile('17rem')}>
        {shown.map(({ row, person, values }) => (
          <div key={row}>
            <Hint>
              <bdi>{person}</bdi>
            </Hint>
            <PhonePreview draft={template.draft} values={values} template={template} />
          </div>
        ))}
      </div>
      <FormDialog opened={isTesting} onClose={() => setTesting(false)} title={words.test}>
        {first && (
          <TestSend template={template} phoneNumberId={lineId} fields={sendFields(template.draft, first.values)} />
        )}
      </FormDialog>
    </Section>
  )
}

/** As the form keeps them. */
function valuesIn(kept: string): SendValues {
  return kept === '' ? noSendValues : (JSON.parse(kept) as SendValues)
}

/** Whether each value that the template needs has a column or a text. */
const isWhole = (detail: TemplateDetail, values: SendValues, mapping: CsvMapping) =>
  isFilled(detail, {
    ...values,
    variables: { ...values.variables, ...Object.fromEntries(Object.keys(mapping.values).map(key => [key, key])) },
  })
