"""What elements of DocBook and of DITA are in HTML, as the vendors' own stylesheets have it.

DocBook 5.2 (https://docs.oasis-open.org/docbook/docbook/v5.2/) and DITA 1.3
(http://docs.oasis-open.org/dita/dita/v1.3/).
"""

from appliance.language.words import in_text

SECTIONS = frozenset(
    in_text(
        """
    appendix article book chapter concept glossary part preface refentry refsect1 refsect2
    refsect3 refsection reference sect1 sect2 sect3 sect4 sect5 section simplesect task topic
    troubleshooting
    """
    )
)
"""What has a title of its own, one level below that of what it stands in."""
ROOTS = SECTIONS | {"dita", "procedure", "set"}
LISTS = {
    **dict.fromkeys(in_text("procedure orderedlist steps substeps ol"), "ol"),
    **dict.fromkeys(
        in_text("itemizedlist simplelist steps-unordered choices stepalternatives ul sl"), "ul"
    ),
    **dict.fromkeys(in_text("variablelist dl parml"), "dl"),
}
ITEMS = {
    **dict.fromkeys(in_text("step substep listitem li choice member sli"), "li"),
    **dict.fromkeys(in_text("term dt pt"), "dt"),
    **dict.fromkeys(in_text("dd pd"), "dd"),
}
BLOCKS = {
    **dict.fromkeys(in_text("para simpara p cmd shortdesc"), "p"),
    **dict.fromkeys(
        in_text("programlisting screen literallayout synopsis codeblock msgblock pre lines"), "pre"
    ),
    **dict.fromkeys(in_text("tgroup simpletable choicetable properties"), "table"),
    **dict.fromkeys(in_text("row strow chrow property sthead chhead prophead tr"), "tr"),
    **dict.fromkeys(
        in_text("entry stentry choption chdesc proptype propvalue propdesc td choptionhd chdeschd"),
        "td",
    ),
    "thead": "thead",
    "tbody": "tbody",
    "blockquote": "blockquote",
    "lq": "blockquote",
}
HEAD_ROWS = frozenset(in_text("sthead chhead prophead"))
NOTES = frozenset(in_text("note tip hint important warning caution danger attention"))
STEPS = frozenset(in_text("step substep"))
PATHS = frozenset(in_text("menuchoice menucascade"))
INLINES = {
    **dict.fromkeys(
        in_text("guibutton guilabel guimenu guimenuitem guisubmenu guiicon uicontrol wintitle b"),
        "b",
    ),
    **dict.fromkeys(
        in_text(
            """
    literal code codeph userinput filepath filename systemitem constant envar computeroutput
    systemoutput msgph parameter option parmname
    """
        ),
        "code",
    ),
    **dict.fromkeys(in_text("replaceable varname"), "var"),
    **dict.fromkeys(in_text("emphasis i firstterm citetitle cite foreignphrase"), "em"),
    **dict.fromkeys(in_text("keycap keycombo keysym"), "kbd"),
    **dict.fromkeys(in_text("link ulink xref olink"), "a"),
    **dict.fromkeys(in_text("command cmdname"), 'span class="command"'),
    **dict.fromkeys(in_text("quote q"), "span"),
    **dict.fromkeys(PATHS, 'span class="menuselection"'),
}
IGNORED = frozenset(
    in_text(
        """
    alt bibliography colspec copyright data draft-comment figure fig fn footnote foreign image
    index indexterm informalfigure inlinemediaobject keywordset legalnotice mediaobject metadata
    prolog related-links remark required-cleanup revhistory stepxmp subtitle titleabbrev toc
    unknown
    """
    )
)
ABOUT = frozenset(
    in_text("info articleinfo bookinfo chapterinfo prefaceinfo refentryinfo sectioninfo")
)
"""What is said of a section; DITA's `info` of a step is text."""
ELSEWHERE = ("conref", "conkeyref", "keyref")
"""Attributes by which DITA takes an element's text from another place."""
