/** What a field is called, and the hint below it: `name` and `nameHint` of the words. */
export const labelled = <Name extends string>(
  words: Readonly<Record<Name | `${Name}Hint`, string>>,
  name: Name,
): { label: string; description: string } => ({ label: words[name], description: words[`${name}Hint`] })
