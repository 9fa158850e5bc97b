"""Chinese sentences, as real guides write them, and what the reader makes of them."""

import pytest

from tests.policy.test_policy_english import read

CASES = [
    ("在**产品**菜单中选择**存储桶**。", ["open 产品 (菜单)", "open 存储桶 (choice)"]),
    ("点击**创建存储桶**。", ["open 创建存储桶"]),
    ("在**名称**中输入存储桶名称。", ["fill 名称"]),
    ("在**存储类型**下拉列表中选择**标准**。", ["choose = 标准 in 存储类型"]),
    ("输入存储桶名称以确认，然后点击**删除**。", ["fill '存储桶名称以确认'", "open 删除"]),
    ("勾选**启用版本控制**，然后点击**确定**。", ["tick 启用版本控制 (复选框)", "open 确定"]),
    ("存储桶状态变为**可用**。", ["expect_text 可用 (status)"]),
    ("页面提示**创建成功**。", ["expect_text 创建成功 (message)"]),
    (
        "在弹出的**创建存储桶**对话框中，输入`demo`，点击**确定**。",
        ["expect_open 创建存储桶 (对话框)", "fill = demo", "open 确定"],
    ),
    ("选择要删除的存储桶，点击**批量删除**。", ["pick '存储桶'", "open 批量删除"]),
    ("点击存储桶名称，进入详情页。", ["follow '存储桶'"]),
    (
        "单击**添加标签**，在**标签键**中输入`部门`，在**标签值**中输入`财务`。",
        ["open 添加标签", "fill 标签键 = 部门", "fill 标签值 = 财务"],
    ),
    (
        "打开**产品** > **实例**，在实例所在行单击**更多** > **重启**。",
        ["open 产品 (path)", "open 实例 (标签页)", "open 更多 (path)", "open 重启 (path)"],
    ),
    ("将**规格**设置为**大型**。", ["fill 规格 = 大型"]),
    ("将**版本控制**设置为`启用`。", ["fill 版本控制 = 启用"]),
]


@pytest.mark.parametrize(("text", "intents"), CASES, ids=[c[0][:30] for c in CASES])
def test_a_sentence_is_read(text: str, intents: list[str]) -> None:
    assert read(text, "zh") == intents
