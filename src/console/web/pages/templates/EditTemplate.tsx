import { Alert, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isMedia, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { isCategoryFixed } from '../../../../templates/authoring/lifecycle.ts'
import { useWorkspace } from '../../app/session.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { useDraft } from './draftState.ts'
import type { UploadTarget } from './HeaderFields.tsx'
import { mutable, useOriginal } from './NewTemplate.tsx'
import { editPath, templatePath } from './paths.ts'
import { type ShownTemplate, useTemplateChange } from './queries.ts'
import { NotEditable, TemplateForm } from './TemplateForm.tsx'

const words = templateWords.editor

/** An existing template, to be submitted again. */
export function EditTemplate() {
  const { id: workspaceId } = useWorkspace()
  const { phoneNumberId = '', templateId = '' } = useParams()
  const { target, original: template, failure, otherwise } = useOriginal(phoneNumberId, templateId)
  if (failure || !target || !template) return otherwise
  const page = templatePath(workspaceId, phoneNumberId, templateId)
  return (
    <>
      <PageHeader
        title={words.editTitle(template.name)}
        description={words.editDescription}
        back={{ to: page, label: template.name }}
      />
      <Edit form={editPath(workspaceId, phoneNumberId, templateId)} target={target} template={template} page={page} />
    </>
  )
}

const hasFile = ({ header, cards }: TemplateDraft) => isMedia(header) || cards.some(card => isMedia(card.header))

/** @param page where the template is shown */
function Edit(props: { form: string; target: UploadTarget; template: ShownTemplate; page: string }) {
  const { form, target, template: shown, page } = props
  // As it was when the page was opened: its status is polled while the user edits.
  const [template] = useState(shown)
  const state = useDraft(template.draft, form)
  const [, navigate] = useLocation()
  const edit = useTemplateChange((routes, draft: TemplateDraft) =>
    routes.templates({ templateId: template.id }).put({ draft: mutable(draft) }),
  )
  if (template.editProblem !== null) return <NotEditable why={template.editProblem} />
  const submit = () =>
    edit.mutate(state.draft, {
      onSuccess: () => {
        state.forget()
        navigate(page)
      },
    })
  const fixed = { isCategoryFixed: isCategoryFixed(template.status) }
  return (
    <Stack>
      {hasFile(template.draft) && <Alert color="blue">{words.mediaLost}</Alert>}
      <TemplateForm state={state} target={target} fixed={fixed} change={edit} onSubmit={submit} />
    </Stack>
  )
}
