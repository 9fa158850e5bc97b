-- What consoles call things, as attempts saw it: no words of people's own. Times are UTC.

CREATE TABLE console_labels (
    console VARCHAR NOT NULL,
    release VARCHAR NOT NULL,             -- as the settings call it; empty: they do not
    locale VARCHAR NOT NULL,              -- language of the page
    page VARCHAR NOT NULL,                -- its path, with * for what is a thing's own
    dialog VARCHAR NOT NULL,              -- title of the dialog it stands in; empty: in none
    parent VARCHAR NOT NULL,              -- the menu that has it, or the field that offers it
    role VARCHAR NOT NULL,                -- as in observations, or the kind of text; `place`: all that stands there
    name VARCHAR NOT NULL,                -- empty for a place
    seen INTEGER NOT NULL,                -- by how many attempts
    first_seen TIMESTAMP NOT NULL,
    last_seen TIMESTAMP NOT NULL,
    PRIMARY KEY (console, release, locale, page, dialog, parent, role, name)
);
