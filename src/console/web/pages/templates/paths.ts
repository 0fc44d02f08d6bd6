/**
 * The addresses of the templates of a line. They contain `phoneNumberId`, because the contract says that callers can
 * read it there.
 */
export const listPath = (workspaceId: string, phoneNumberId: string) =>
  `/w/${workspaceId}/lines/${phoneNumberId}/templates`
export const newPath = (workspaceId: string, phoneNumberId: string, copyOf?: string) =>
  `${listPath(workspaceId, phoneNumberId)}/new${copyOf === undefined ? '' : `?copy=${copyOf}`}`
export const templatePath = (workspaceId: string, phoneNumberId: string, templateId: string) =>
  `${listPath(workspaceId, phoneNumberId)}/${templateId}`
export const editPath = (workspaceId: string, phoneNumberId: string, templateId: string) =>
  `${templatePath(workspaceId, phoneNumberId, templateId)}/edit`
