import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import { deleteProblem } from '../../../../templates/authoring/lifecycle.ts'
import { exampleValuesOf, sendFields } from '../../../../templates/authoring/values.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx'
import { asking } from '../../components/ConfirmDialog.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import { texts } from '../../texts/texts.ts'
import { DeleteTemplate } from './DeleteTemplate.tsx'
import { languageName } from './languageNames.ts'
import { PhonePreview } from './PhonePreview.tsx'
import {
  editPath,
  listPath,
  newPath,
  type TemplateDetail,
  templatePath,
  useLiveTemplates,
  useTemplate,
} from './queries.ts'
import { TemplateNumbers } from './TemplateNumbers.tsx'
import { StatusReasonText, TemplateStatus } from './TemplateStatus.tsx'
import { ValueFields } from './TemplateValues.tsx'
import { TestSend } from './TestSend.tsx'

/** A number reserved for fiction: copied unchanged, it reaches nobody. */
const examplePhone = '+12025550123'

/** One template: its status, its preview with values, the request that sends it, and a test. */
export function TemplatePage() {
  const { phoneNumberId = '', templateId = '' } = useParams()
  useLiveTemplates()
  const template = useTemplate(templateId)
  return <Loaded query={template}>{data => <Shown detail={data} phoneNumberId={phoneNumberId} />}</Loaded>
}

function Shown({ detail, phoneNumberId }: { detail: TemplateDetail; phoneNumberId: string }) {
  const { id: workspaceId, can } = useWorkspace()
  const { template } = detail
  const [values, setValues] = useState(() => exampleValuesOf(detail.exampleValues))
  const fields = sendFields(template.draft, values)
  const canSend = detail.unsupported.length === 0
  return (
    <>
      <PageHeader
        title={template.name}
        description={
          <Group gap="sm">
            <TemplateStatus status={template.status} />
            <span>
              {languageName(template.language)} ·{' '}
              {words.categories[template.category as keyof typeof words.categories] ?? template.category}
            </span>
          </Group>
        }
        back={{ to: listPath(workspaceId, phoneNumberId), label: words.back }}
        actions={<Actions detail={detail} phoneNumberId={phoneNumberId} />}
      />
      <div className="template-sides" data-preview-first>
        <Stack>
          <StatusReasonText template={template} />
          <Section title={words.variables}>
            <ValueFields detail={detail} values={values} onChange={setValues} />
          </Section>
          {canSend && can('member') && (
            <Section title={words.test}>
              <TestSend template={template} phoneNumberId={phoneNumberId} fields={fields} />
            </Section>
          )}
          {canSend && (
            <Section title={words.request} hint={words.requestHint}>
              <CodeBlock
                what={words.curl}
                text={curlOf({
                  path: '/messages/send',
                  key: null,
                  body: {
                    type: 'template',
                    phone: examplePhone,
                    phoneNumberId,
                    templateName: template.name,
                    templateLanguage: template.language,
                    ...fields,
                  },
                })}
              />
            </Section>
          )}
          <Section title={words.details}>
            <Details detail={detail} phoneNumberId={phoneNumberId} />
          </Section>
        </Stack>
        <aside className="template-aside" aria-label={words.preview}>
          <Section title={texts.messages.bubble}>
            <PhonePreview draft={template.draft} values={values} template={template} />
          </Section>
        </aside>
      </div>
    </>
  )
}

function Actions({ detail, phoneNumberId }: { detail: TemplateDetail; phoneNumberId: string }) {
  const { id: workspaceId, can } = useWorkspace()
  const [isDeleteOpen, dialog] = useDisclosure()
  const { template } = detail
  if (!can('member')) return null
  return (
    <>
      {template.editProblem === null && (
        <Button
          component={Link}
          href={editPath(workspaceId, phoneNumberId, template.id)}
          leftSection={<IconPencil size={16} />}
        >
          {words.edit}
        </Button>
      )}
      <Button
        component={Link}
        href={newPath(workspaceId, phoneNumberId, template.id)}
        variant="default"
        leftSection={<IconCopy size={16} />}
      >
        {words.duplicate}
      </Button>
      {can('admin') && deleteProblem(template.status) === undefined && (
        <Button
          {...{ variant: 'default', c: 'red', className: 'sign-on-telephone' }}
          leftSection={<IconTrash size={16} />}
          onClick={dialog.open}
        >
          {asking(words.remove)}
        </Button>
      )}
      <DeleteTemplate detail={detail} phoneNumberId={phoneNumberId} opened={isDeleteOpen} onClose={dialog.close} />
    </>
  )
}

function Details({ detail, phoneNumberId }: { detail: TemplateDetail; phoneNumberId: string }) {
  const { id: workspaceId } = useWorkspace()
  const { template, otherLanguages } = detail
  const languages = otherLanguages.map(({ id, language }) => (
    <Link key={id} href={templatePath(workspaceId, phoneNumberId, id)}>
      {language}
    </Link>
  ))
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.id, <CopyId key="id" id={template.id} what={words.id} />],
    [words.phoneNumberId, <CopyId key="line" id={phoneNumberId} what={words.phoneNumberId} />],
    [words.numbers.title, <TemplateNumbers key="numbers" workspaceId={workspaceId} template={template} />],
    [words.updated, <Time key="time" at={template.updatedAt} />],
    [words.quality, template.quality],
    [words.editor.cannotEdit, template.editProblem],
    [words.otherLanguages, languages.length > 0 && <Group gap="xs">{languages}</Group>],
  ]
  return <Facts facts={facts.filter(([, value]) => value)} />
}
