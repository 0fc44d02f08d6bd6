import { Fragment } from 'react'

/** A name of a program, which breaks behind a `_` before it breaks within a word. */
export const Breaking = ({ text }: { text: string }) =>
  text.split(/(?<=_)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))
