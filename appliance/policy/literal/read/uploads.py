"""Recognizes that what is picked after "Browse" or "Upload" is a file, in either language."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from appliance.policy.literal.read.intents import Intent, IntentKind

K = IntentKind
_BROWSES = re.compile(
    r"\b(?:browse|upload|import|attach)\b|\b(?:choose|select|add) (?:an? )?(?:files?|image)\b"
    r"|上传|导入|(?:选择|添加|浏览)(?:本地)?文件|浏览",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:row|record|instance|volume|server|user)s?\b|记录|实例|用户", re.IGNORECASE
)


def with_uploads(intents: Iterable[Intent]) -> Iterator[Intent]:
    """Turn the choice of a file into an upload, among the intents of a sentence."""
    is_browsing = was_upload = False
    for intent in intents:
        if (
            was_upload
            and intent.kind is K.UPLOAD
            and not (intent.label or intent.value or intent.thing)
        ):
            continue  # "选择图片并上传": one file
        was_upload = intent.kind is K.UPLOAD
        if is_browsing and intent.kind is K.PICK and not _TABLE.search(intent.thing):
            intent = replace(intent, kind=K.UPLOAD)
        elif intent.kind is K.OPEN and intent.label is not None:
            is_browsing = bool(_BROWSES.search(intent.label.text))
        yield intent
