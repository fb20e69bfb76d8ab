const PEOPLE =
  /(?:^|[._-])(?:user(?:name|_?id)?|login|e-?mail|phone|geo|ip(?:_?addr(?:ess)?)?|remote_addr)(?:[._-]|$)/i;

/** True for the name of a tag, of a context, or of a member of one, that is about people. */
export const isOfPeople = (name: string): boolean => PEOPLE.test(name);
