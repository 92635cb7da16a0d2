// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The test wallet's smart account: several calls in one transaction, all or none
/// @notice For local chains only. Its owner is an ordinary account, which sends the transaction and pays for it.
contract TestSmartAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error NotOwner(address caller, address owner);

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    /// @dev A call that fails takes all back, with its own reason.
    function execute(Call[] calldata calls) external {
        if (msg.sender != owner) revert NotOwner(msg.sender, owner);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (isDone) continue;
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
